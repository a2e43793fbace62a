#ifndef WARDEN_SERVICE_JOBS_DESCRIBE_H_
#define WARDEN_SERVICE_JOBS_DESCRIBE_H_

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/service/jobs/job.h"

namespace warden::service {

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

}  // namespace warden::service

#endif  // WARDEN_SERVICE_JOBS_DESCRIBE_H_
