#include "warden/base/json_members.h"
#include "warden/jobs/record/job.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {

Outcome StopTrainingJob(const Call& call) {
  const std::string name = TextOf(MemberOf(call.body, "TrainingJobName"));
  auto changed = ChangeJob(call, name, [](jobs::TrainingJob* job) -> std::optional<ApiError> {
    if (jobs::RequestStop(job, jobs::StopCause::kUser, Now())) return std::nullopt;
    return WrongStatus("training", jobs::NameOf(job->status));
  });
  if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
  // Before it is acknowledged: the agents hold it, even if this service is killed now.
  call.parts.launcher->Stop(*std::get_if<jobs::TrainingJob>(&changed),
                            call.parts.options->stop_grace);
  call.parts.supervisor->Wake(name);
  return Json(nullptr);
}

}  // namespace warden::sagemaker::operations
