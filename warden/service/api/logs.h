#ifndef WARDEN_SERVICE_API_LOGS_H_
#define WARDEN_SERVICE_API_LOGS_H_

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/service/api/api.h"
#include "warden/service/http/message.h"

namespace warden::service {

// CloudWatch Logs, as far as clients read the logs of jobs: DescribeLogGroups, DescribeLogStreams,
// GetLogEvents and FilterLogEvents. The caller has checked that whoever asks may read.
Response AnswerLogs(std::string_view operation, const Json& body, const ApiParts& parts,
                    const RequestHead& head);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_API_LOGS_H_
