#ifndef WARDEN_SAGEMAKER_CLOUDWATCH_H_
#define WARDEN_SAGEMAKER_CLOUDWATCH_H_

// The metrics of jobs as CloudWatch has them, as far as SageMaker's SDK needs it for
// TrainingJobAnalytics: GetMetricStatistics, GetMetricData and ListMetrics in the namespace
// /aws/sagemaker/TrainingJobs. Clients send the same requests in three forms: CBOR to a path of its
// own (boto3 since 2025), JSON by X-Amz-Target, and a form with an XML answer (older ones, and the
// aws CLI).

#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/sagemaker/operations/api_parts.h"

namespace warden::sagemaker {

// X-Amz-Target's service, and a part of the path of requests in CBOR.
inline constexpr std::string_view kCloudWatchTarget = "GraniteServiceVersion20100801";

// For the router: a request in CBOR, "POST /service/GraniteServiceVersion20100801/operation/NAME".
bool IsCloudWatchCall(const http::RequestHead& head);
// Whether a form is one for CloudWatch, by its Version.
bool IsCloudWatchForm(std::string_view body);

// Each answers in the form that was asked in. Errors have CloudWatch's codes. REQUIRES: the caller
// may read, and parts.metrics is set.
http::Response AnswerCloudWatch(std::string_view operation, const Json& body, const ApiParts& parts,
                                const http::RequestHead& head);
http::Response AnswerCloudWatchCbor(const std::string& body, const ApiParts& parts,
                                    const http::RequestHead& head);
http::Response AnswerCloudWatchForm(const std::string& body, const ApiParts& parts,
                                    const http::RequestHead& head);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_CLOUDWATCH_H_
