#ifndef WARDEN_SERVICE_API_STS_H_
#define WARDEN_SERVICE_API_STS_H_

#include <string>

#include "warden/service/auth/authenticator.h"
#include "warden/service/http/message.h"

namespace warden::service {

// STS and IAM: forms ("Action=GetCallerIdentity&Version=2011-06-15"), answered in XML. Clients ask
// who they are and for the ARN of a role that they know by name; there are no roles here, so any
// name has one.
Response AnswerForm(const std::string& body, const Identity& identity, const RequestHead& head);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_API_STS_H_
