#ifndef WARDEN_SAGEMAKER_OPERATIONS_OPERATIONS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_OPERATIONS_H_

// The operations on training jobs and on their rules. To add one: declare it here, list it in
// operations.cc, and put it into a .cc file named after it; shapes.json needs its input.

#include <string_view>

#include "warden/sagemaker/operations/call.h"

namespace warden::sagemaker::operations {

// One operation of the API.
struct Operation {
  std::string_view name;        // As X-Amz-Target names it.
  auth::Scope scope;            // That the sender needs.
  Outcome (*run)(const Call&);  // See Perform for what was checked before.
};

// Null if there is no operation of that name. Valid as long as the program.
const Operation* FindOperation(std::string_view name);

// Each may block on the disk and is safe for many threads. A store that fails is InternalFailure
// (InternalError), a job that does not exist NotFoundError.
//
// Stores the job and wakes the supervisor; the job starts later. The same request again
// (invocation_id) is answered as the first time. ResourceInUse if the name is taken,
// ValidationException if the job cannot run here.
Outcome CreateTrainingJob(const Call& call);
// Read by many clients, again and again; cheap.
Outcome DescribeTrainingJob(const Call& call);
// Changes profiling, remote debugging or the warm pool of a job, all or nothing; adds profiler
// rules.
Outcome UpdateTrainingJob(const Call& call);
// Returns when the request is stored; the job ends later. ValidationException if it has ended or is
// stopping.
Outcome StopTrainingJob(const Call& call);
// Removes a job that is over, with its folders but not its outputs. ResourceInUse if it or a rule
// is at work.
Outcome DeleteTrainingJob(const Call& call);
// In pages of 100 at most.
Outcome ListTrainingJobs(const Call& call);
// Always a ValidationException: rules are created with their training job.
Outcome CreateProcessingJob(const Call& call);
// Processing jobs are the rules of training jobs; the three that follow are as for training jobs.
Outcome DescribeProcessingJob(const Call& call);
// ValidationException if the rule is not in progress; its training job continues.
Outcome StopProcessingJob(const Call& call);
Outcome ListProcessingJobs(const Call& call);
// Reads all jobs for each page, as no index can serve every expression. Empty for other resources
// than TrainingJob.
Outcome Search(const Call& call);
// Tags of training jobs, by ARN; at most 50. Rules have none.
Outcome AddTags(const Call& call);
Outcome ListTags(const Call& call);
// Keys that do not exist are ignored.
Outcome DeleteTags(const Call& call);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_OPERATIONS_H_
