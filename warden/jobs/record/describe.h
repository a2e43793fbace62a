#ifndef WARDEN_JOBS_RECORD_DESCRIBE_H_
#define WARDEN_JOBS_RECORD_DESCRIBE_H_

// How the API, its lists and its events show a job: pure functions from the record to JSON, in the
// form that boto3 and the SageMaker SDK expect. Used by the operations, and by the store for
// events.

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// The response of DescribeTrainingJob. Times are seconds since 1970.
Json DescribeTrainingJob(const TrainingJob& job);
// One element of the response of ListTrainingJobs.
Json SummarizeTrainingJob(const TrainingJob& job);

// The response of DescribeProcessingJob for a rule, and one element of ListProcessingJobs. rule is
// one of job.rules.
Json DescribeRuleJob(const TrainingJob& job, const RuleJob& rule);
Json SummarizeRuleJob(const TrainingJob& job, const RuleJob& rule);

// ProcessingJobStatus of a rule: "Completed" with or without findings, "Failed" if the rule failed.
std::string_view ProcessingStatusOf(RuleStatus status);

// "SageMaker Training Job State Change" and "SageMaker Processing Job State Change", as Amazon's
// EventBridge sends them; times within are milliseconds. The id is new in each call, so make an
// event once and store it.
//
//   {"version": "0", "id": "...", "detail-type": "SageMaker Training Job State Change",
//    "source": "aws.sagemaker", "account": "...", "time": "2026-11-15T00:18:35Z", "region": "...",
//    "resources": ["arn:aws:sagemaker:..."], "detail": {"TrainingJobName": "mnist-1", ...}}
Json TrainingJobEvent(const TrainingJob& job, Time now);
Json RuleJobEvent(const TrainingJob& job, const RuleJob& rule, Time now);

// "Training Job Incident", an event of our own in the same envelope: its source is "tensorwarden",
// its id that of the incident, and detail.Incident is JobIncident::json.
Json IncidentEvent(const TrainingJob& job, const JobIncident& incident, Time now);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_DESCRIBE_H_
