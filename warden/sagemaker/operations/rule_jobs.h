#ifndef WARDEN_SAGEMAKER_OPERATIONS_RULE_JOBS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_RULE_JOBS_H_

// Rules of a request as rule jobs of the record. Used when a job is created and when rules are
// added.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/jobs/record/job.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker::operations {

// "<26 of the job's name>-<26 of the rule's>-<8 random digits>"; characters that a job's name
// cannot have become '-': "mnist-1-Vanishing-Gradient-1a2b3c4d". Likely but not certain to be
// unique: the store refuses a second one (kExists).
std::string RuleJobName(std::string_view job, std::string_view rule);

// Adds a rule job for each configuration of the list (null: none), with the defaults that Describe
// shows, at the end of job->rules.
void AddRuleJobs(const Json* configurations, jobs::RuleJob::Kind kind, Time now,
                 jobs::TrainingJob* job);

// Returns what is wrong with a list of configurations (null: nothing), if anything: a name that is
// among *taken or occurs twice, or a rule that does not exist. Adds the names to *taken.
std::optional<ApiError> CheckRules(const Json* configurations, std::vector<std::string>* taken);

// Asks a rule to stop if it is at work. rule: index in job->rules. The supervisor does the rest.
// For use within JobStore::Change.
void AskToStop(size_t rule, Time now, jobs::TrainingJob* job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_RULE_JOBS_H_
