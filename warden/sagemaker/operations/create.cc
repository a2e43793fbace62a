#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/new_job.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {
namespace {

constexpr int kCreateTries = 3;

Json AnswerFor(const jobs::TrainingJob& job) { return {{"TrainingJobArn", job.Arn()}}; }

// There is a job of that name: fine if this very request made it, and only the answer was lost.
Outcome AnswerExisting(const Call& call, const jobs::TrainingJob& existing) {
  const auto made = call.parts.store->MadeBy({call.identity.access_key, call.invocation_id});
  if (made == existing.name) return AnswerFor(existing);
  return ApiError{"ResourceInUse",
                  "Training job names must be unique within an AWS account and region, and a "
                  "training job with this name already exists (" +
                      existing.Arn() + ")"};
}

Outcome Keep(const Call& call) {
  Status status;
  for (int i = 0; i < kCreateTries; ++i) {
    const jobs::TrainingJob job = NewJob(call.body, call.identity, Now());
    status = call.parts.launcher->Check(job);
    if (status.code() == Code::kInvalid) return ValidationError(status.message());
    if (!status.ok()) return InternalError(status);
    status = call.parts.store->Create(job, {call.identity.access_key, call.invocation_id});
    if (status.ok()) {
      call.parts.supervisor->Wake(job.name);
      return AnswerFor(job);
    }
    if (status.code() != Code::kExists) return InternalError(status);
    auto existing = call.parts.store->Get(job.name);
    if (existing.ok()) return AnswerExisting(call, existing.value());
    // The random part of a rule's name was taken: once more, with others.
  }
  return InternalError(status);
}

}  // namespace

Outcome CreateTrainingJob(const Call& call) {
  const std::string name = TextOf(MemberOf(call.body, "TrainingJobName"));
  auto existing = call.parts.store->Get(name);
  if (existing.ok()) return AnswerExisting(call, existing.value());
  if (auto error = CheckNewJob(call.body)) return std::move(*error);
  return Keep(call);
}

}  // namespace warden::sagemaker::operations
