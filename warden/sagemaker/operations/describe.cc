#include "warden/jobs/record/describe.h"

#include "warden/jobs/record/members.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {

Outcome DescribeTrainingJob(const Call& call) {
  auto job = call.parts.store->Get(jobs::TextOf(jobs::MemberOf(call.body, "TrainingJobName")));
  if (!job.ok()) return StoreError(job.status());
  return jobs::DescribeTrainingJob(job.value());
}

}  // namespace warden::sagemaker::operations
