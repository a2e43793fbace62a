#ifndef WARDEN_SAGEMAKER_REPLACED_SERVICES_H_
#define WARDEN_SAGEMAKER_REPLACED_SERVICES_H_

// Services of Amazon that this one does not have: notifications (SNS), shells (Systems Manager) and
// rules for events (EventBridge). Their clients get an error that names what to use here. Pure
// functions, safe for many threads.

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker {

// The error for a JSON request: service and operation as X-Amz-Target has them, "AmazonSSM" and
// "StartSession". For StartSession it has the command for the job that body names. Nothing if the
// service is none of these.
std::optional<ApiError> ReplacedTarget(std::string_view service, std::string_view operation,
                                       const Json& body);
// The error for a form ("Action=CreateTopic&Version=2010-03-31"). Nothing if it is for another
// service.
std::optional<ApiError> ReplacedForm(std::string_view body);
// The error for an operation of CloudWatch other than those that read metrics.
ApiError ReplacedMetricOperation(std::string_view operation);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_REPLACED_SERVICES_H_
