#ifndef WARDEN_SAGEMAKER_OPERATIONS_OPERATIONS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_OPERATIONS_H_

#include <string_view>

#include "warden/sagemaker/operations/call.h"

namespace warden::sagemaker::operations {

struct Operation {
  std::string_view name;
  auth::Scope scope;
  Outcome (*run)(const Call&);
};

// Null if there is none of that name.
const Operation* FindOperation(std::string_view name);

// One file for each, or for those that go together.
Outcome CreateTrainingJob(const Call& call);
Outcome DescribeTrainingJob(const Call& call);
Outcome UpdateTrainingJob(const Call& call);
Outcome StopTrainingJob(const Call& call);
Outcome DeleteTrainingJob(const Call& call);
Outcome ListTrainingJobs(const Call& call);
Outcome CreateProcessingJob(const Call& call);
Outcome DescribeProcessingJob(const Call& call);
Outcome StopProcessingJob(const Call& call);
Outcome ListProcessingJobs(const Call& call);
Outcome Search(const Call& call);
Outcome AddTags(const Call& call);
Outcome ListTags(const Call& call);
Outcome DeleteTags(const Call& call);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_OPERATIONS_H_
