#ifndef WARDEN_SAGEMAKER_OPERATIONS_RULE_JOBS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_RULE_JOBS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/jobs/record/job.h"
#include "warden/sagemaker/model/error.h"

namespace warden::sagemaker::operations {

// "<26 of the job's name>-<26 of the rule's>-<8 random digits>"; characters that a job's name
// cannot have become '-'.
std::string RuleJobName(std::string_view job, std::string_view rule);

// Adds one to the job for each configuration of the list (null: none), with what Describe adds.
void AddRuleJobs(const Json* configurations, jobs::RuleJob::Kind kind, Time now,
                 jobs::TrainingJob* job);

// What is wrong with a list of configurations, none of whose names may be among taken; adds them.
std::optional<ApiError> CheckRules(const Json* configurations, std::vector<std::string>* taken);

// If it is still at work. The supervisor does the rest.
void AskToStop(size_t rule, Time now, jobs::TrainingJob* job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_RULE_JOBS_H_
