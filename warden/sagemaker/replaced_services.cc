#include "warden/sagemaker/replaced_services.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/base/json_members.h"

namespace warden::sagemaker {
namespace {

constexpr std::string_view kTopicsVersion = "Version=2010-03-31";
constexpr std::string_view kJobTarget = "sagemaker-training-job:";

// "sagemaker-training-job:demo_algo-1" as "warden exec demo --host algo-1".
std::string ShellCommand(std::string_view target) {
  if (!target.starts_with(kJobTarget)) return "warden exec JOB";
  target.remove_prefix(kJobTarget.size());
  // Names of jobs have no underscore.
  const size_t end = target.find('_');
  std::string command = fmt::format("warden exec {}", target.substr(0, end));
  if (end != std::string_view::npos) command += fmt::format(" --host {}", target.substr(end + 1));
  return command;
}

}  // namespace

std::optional<ApiError> ReplacedTarget(std::string_view service, std::string_view operation,
                                       const Json& body) {
  if (service == "AmazonSSM") {
    return ApiError{"UnknownOperationException",
                    fmt::format("This service has no AWS Systems Manager and no operation '{}'. To "
                                "open a shell in a running job, use '{}'.",
                                operation, ShellCommand(TextOf(MemberOf(body, "Target"))))};
  }
  if (service == "AWSEvents") {
    return ApiError{
        "UnknownOperationException",
        fmt::format("This service has no Amazon EventBridge and no operation '{}'. It sends the "
                    "same events to the receivers in DATA/events.json or 'warden serve --events "
                    "FILE': webhooks, commands, files and mail, with patterns of EventBridge.",
                    operation)};
  }
  return std::nullopt;
}

std::optional<ApiError> ReplacedForm(std::string_view body) {
  if (body.find(kTopicsVersion) == std::string_view::npos) return std::nullopt;
  return ApiError{
      "InvalidAction",
      "This service has no Amazon SNS. Rules send mail and SMS by their actions ('email' and "
      "'sms'), without a topic; events of jobs go to the receivers in DATA/events.json or 'warden "
      "serve --events FILE'."};
}

ApiError ReplacedMetricOperation(std::string_view operation) {
  std::string_view use =
      "To read the metrics of jobs, use GetMetricStatistics, GetMetricData or ListMetrics";
  if (operation == "PutMetricData") {
    use =
        "Metrics of a job are what its MetricDefinitions find in the log and what the training "
        "saves by hook.save_scalar(name, value, sm_metric=True)";
  } else if (operation.find("Alarm") != std::string_view::npos) {
    use = "In place of alarms, use rules with actions, or receivers of events in DATA/events.json";
  } else if (operation.find("Dashboard") != std::string_view::npos) {
    use = "The dashboard of this service is at /-/";
  }
  return {"UnknownOperationException",
          fmt::format("Unknown CloudWatch operation '{}'. {}.", operation, use)};
}

}  // namespace warden::sagemaker
