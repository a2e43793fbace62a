#ifndef WARDEN_SAGEMAKER_STS_H_
#define WARDEN_SAGEMAKER_STS_H_

#include <string>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"

namespace warden::sagemaker {

// STS and IAM: forms ("Action=GetCallerIdentity&Version=2011-06-15"), answered in XML. Clients ask
// who they are and for the ARN of a role that they know by name; there are no roles here, so any
// name has one.
http::Response AnswerForm(const std::string& body, const auth::Identity& identity,
                          const http::RequestHead& head);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_STS_H_
