#ifndef WARDEN_SAGEMAKER_LOGS_H_
#define WARDEN_SAGEMAKER_LOGS_H_

// CloudWatch Logs of Amazon's API. The lines come from jobs/logs.

#include <string_view>

#include "warden/auth/authenticator.h"
#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"

namespace warden::sagemaker {

// Answers CloudWatch Logs, as far as clients read the logs of jobs: DescribeLogGroups,
// DescribeLogStreams, GetLogEvents and FilterLogEvents; other operations get
// UnknownOperationException. body: any object. REQUIRES: the caller has checked that the sender may
// read (Scope::kRead). ARNs have the region and account of the sender. Safe for many threads; reads
// files.
http::Response AnswerLogs(std::string_view operation, const Json& body,
                          const auth::Identity& identity, const ApiParts& parts,
                          const http::RequestHead& head);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_LOGS_H_
