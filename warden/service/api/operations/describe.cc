#include "warden/service/jobs/describe.h"

#include "warden/service/api/operations/operations.h"
#include "warden/service/jobs/members.h"

namespace warden::service::operations {

Outcome DescribeTrainingJob(const Call& call) {
  auto job = call.parts.store->Get(TextOf(MemberOf(call.body, "TrainingJobName")));
  if (!job.ok()) return StoreError(job.status());
  return service::DescribeTrainingJob(job.value());
}

}  // namespace warden::service::operations
