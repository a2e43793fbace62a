#include "warden/service/api/operations/stop.h"

#include <fmt/format.h>

#include "warden/service/api/operations/operations.h"
#include "warden/service/jobs/members.h"

namespace warden::service::operations {

ApiError WrongStatus(std::string_view kind, std::string_view status) {
  return ValidationError(
      fmt::format("The request was rejected because the {} job is in status {}.", kind, status));
}

Outcome StopTrainingJob(const Call& call) {
  const std::string name = TextOf(MemberOf(call.body, "TrainingJobName"));
  auto changed = ChangeJob(call, name, [](TrainingJob* job) -> std::optional<ApiError> {
    if (job->status != JobStatus::kInProgress) return WrongStatus("training", NameOf(job->status));
    job->stop_cause = StopCause::kUser;
    Enter(job, SecondaryStatus::kStopping, "Stopping the training job", Now());
    return std::nullopt;
  });
  if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
  call.parts.supervisor->Wake(name);
  return Json(nullptr);
}

}  // namespace warden::service::operations
