#ifndef WARDEN_JOBS_RECORD_DESCRIBE_H_
#define WARDEN_JOBS_RECORD_DESCRIBE_H_

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// What DescribeTrainingJob answers.
Json DescribeTrainingJob(const TrainingJob& job);
// An element of ListTrainingJobs.
Json SummarizeTrainingJob(const TrainingJob& job);

// What DescribeProcessingJob answers of a rule, and an element of ListProcessingJobs.
Json DescribeRuleJob(const TrainingJob& job, const RuleJob& rule);
Json SummarizeRuleJob(const TrainingJob& job, const RuleJob& rule);

// ProcessingJobStatus of a rule: both verdicts are "Completed".
std::string_view ProcessingStatusOf(RuleStatus status);

// "SageMaker Training Job State Change" and "SageMaker Processing Job State Change", as Amazon's
// EventBridge sends them. The id is new each time.
Json TrainingJobEvent(const TrainingJob& job, Time now);
Json RuleJobEvent(const TrainingJob& job, const RuleJob& rule, Time now);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_DESCRIBE_H_
