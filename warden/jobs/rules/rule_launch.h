#ifndef WARDEN_JOBS_RULES_RULE_LAUNCH_H_
#define WARDEN_JOBS_RULES_RULE_LAUNCH_H_

// What a rule's process gets. Used by JobRules; rule_agent.h reads it.

#include <functional>
#include <string>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// Where a training job of that name saves its tensors, as an S3 address; empty if it saves none.
// kInvalid: there is no such job.
using FindTensors = std::function<Result<std::string>(const std::string& job)>;

// Returns how to start the agent that checks a job by one of its rules: `warden agent rule FOLDER`.
// Its spec, which watch::RuleTask reads:
//   job, launch   whose run; launch tells it from an earlier job of the same name
//   kind          "debug" or "profiler"
//   rule          the rule's configuration, with paths in place of S3 addresses and, in
//                 other_trials, of names of jobs
//   run, profiler folders of the tensors and of the profiler's files; empty: none
//   output        folder of reports and records
//   warning       set by the caller: what the log says first; empty: nothing
//   log           folder of its log; file_bytes and files as LogWriter takes them
// It inherits only harmless variables of the service: a rule may be a program of the user's. Starts
// nothing. kInvalid: an address of the job is malformed, or other_trials names an unknown job.
Result<AgentLaunch> LaunchOfRule(const service::ServiceOptions& options, const TrainingJob& job,
                                 const RuleJob& rule, const FindTensors& find_tensors);

// The folder that the monitors of a job write to; empty if it has none, or none on this machine.
std::string ProfileOf(const service::ServiceOptions& options, const TrainingJob& job);

// The names of training jobs among the runs that a rule's configuration compares with: what is
// neither an address nor a path. Each once.
std::vector<std::string> JobsToCompareWith(const Json& config);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RULES_RULE_LAUNCH_H_
