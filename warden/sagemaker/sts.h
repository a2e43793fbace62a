#ifndef WARDEN_SAGEMAKER_STS_H_
#define WARDEN_SAGEMAKER_STS_H_

// The operations of STS and IAM that the SageMaker SDK calls before it trains: GetCallerIdentity,
// for the account, GetRole, for the ARN of the role, and SimulatePrincipalPolicy, for what the role
// may do.

#include <string>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"

namespace warden::sagemaker {

// Answers STS and IAM: forms ("Action=GetCallerIdentity&Version=2011-06-15"), with XML. Clients ask
// who they are, and for the ARN of a role that they know by name; there are no roles here, so any
// valid name has one and may do anything. Other actions are InvalidAction (400). Needs no scope: it
// reveals nothing but the identity itself. Any body is accepted.
http::Response AnswerForm(const std::string& body, const auth::Identity& identity,
                          const http::RequestHead& head);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_STS_H_
