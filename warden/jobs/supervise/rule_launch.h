#ifndef WARDEN_JOBS_SUPERVISE_RULE_LAUNCH_H_
#define WARDEN_JOBS_SUPERVISE_RULE_LAUNCH_H_

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// The agent that judges a job by one of its rules: `warden agent rule FOLDER`. What it is to do:
//   job, launch   whose run; launch tells it from an earlier job of the same name
//   kind          "debug" or "profiler"
//   rule          the rule's configuration, what it names in S3 named by its file
//   run, profiler where the tensors and the profiler's files come to be; empty: nowhere
//   output        where reports and records go
//   log           the folder of its log, file_bytes and files as LogWriter takes them
// kInvalid: a place that the job names is none.
Result<AgentLaunch> LaunchOfRule(const service::ServiceOptions& options, const TrainingJob& job,
                                 const RuleJob& rule);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_RULE_LAUNCH_H_
