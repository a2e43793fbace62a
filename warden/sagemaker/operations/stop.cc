#include "warden/sagemaker/operations/stop.h"

#include <fmt/format.h>

#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {

ApiError WrongStatus(std::string_view kind, std::string_view status) {
  return ValidationError(
      fmt::format("The request was rejected because the {} job is in status {}.", kind, status));
}

Outcome StopTrainingJob(const Call& call) {
  const std::string name = TextOf(MemberOf(call.body, "TrainingJobName"));
  auto changed = ChangeJob(call, name, [](jobs::TrainingJob* job) -> std::optional<ApiError> {
    if (job->status != jobs::JobStatus::kInProgress)
      return WrongStatus("training", jobs::NameOf(job->status));
    job->stop_cause = jobs::StopCause::kUser;
    jobs::Enter(job, jobs::SecondaryStatus::kStopping, "Stopping the training job", Now());
    return std::nullopt;
  });
  if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
  call.parts.supervisor->Wake(name);
  return Json(nullptr);
}

}  // namespace warden::sagemaker::operations
