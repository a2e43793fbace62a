#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {
namespace {

bool IsAtWork(const jobs::TrainingJob& job) {
  return !jobs::IsOver(job.status) ||
         std::any_of(job.rules.begin(), job.rules.end(),
                     [](const jobs::RuleJob& rule) { return !jobs::IsOver(rule.status); });
}

}  // namespace

Outcome DeleteTrainingJob(const Call& call) {
  // First its files, then its record: whatever happens in between, it can be done again. Nobody
  // may make a job of the same name before both are gone.
  const std::lock_guard lock(*call.deleting);
  auto job = call.parts.store->Get(TextOf(MemberOf(call.body, "TrainingJobName")));
  if (!job.ok()) return StoreError(job.status());
  if (IsAtWork(job.value())) {
    return ApiError{"ResourceInUse",
                    "The training job or one of its rules is still running: stop it and wait for "
                    "its rules to end (" +
                        job.value().Arn() + ")"};
  }
  if (Status status = call.parts.launcher->Remove(job.value()); !status.ok()) {
    return InternalError(status);
  }
  if (Status status = call.parts.store->Delete(job.value().name); !status.ok()) {
    return StoreError(status);
  }
  return Json(nullptr);
}

}  // namespace warden::sagemaker::operations
