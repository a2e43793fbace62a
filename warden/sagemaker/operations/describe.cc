#include "warden/jobs/record/describe.h"

#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {

Outcome DescribeTrainingJob(const Call& call) {
  auto job = call.parts.store->Get(TextOf(MemberOf(call.body, "TrainingJobName")));
  if (!job.ok()) return StoreError(job.status());
  return jobs::DescribeTrainingJob(job.value());
}

}  // namespace warden::sagemaker::operations
