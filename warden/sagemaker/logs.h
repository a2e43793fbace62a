#ifndef WARDEN_SAGEMAKER_LOGS_H_
#define WARDEN_SAGEMAKER_LOGS_H_

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/sagemaker/api.h"

namespace warden::sagemaker {

// CloudWatch Logs, as far as clients read the logs of jobs: DescribeLogGroups, DescribeLogStreams,
// GetLogEvents and FilterLogEvents. The caller has checked that whoever asks may read.
http::Response AnswerLogs(std::string_view operation, const Json& body, const ApiParts& parts,
                          const http::RequestHead& head);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_LOGS_H_
