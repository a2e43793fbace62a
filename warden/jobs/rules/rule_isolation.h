#ifndef WARDEN_JOBS_RULES_RULE_ISOLATION_H_
#define WARDEN_JOBS_RULES_RULE_ISOLATION_H_

// Runs the code of a custom rule in a box (jobs/launch/rule_box.h). JobRules asks for the box, and
// the rule's agent uses it.

#include <string>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"
#include "warden/watch/task/rule_task.h"

namespace warden::jobs {

// Adds the box of a custom rule to what LaunchOfRule returned, if jobs are isolated:
//   box, directory  for `warden agent boxed`
//   source          the rule's file as it is seen in the box
//   temporary       the folder that is /tmp there
//   objects         the folder of all buckets
// Built-in rules stay as they are. kInvalid and kIo as Launcher::BoxOfRule.
Status IsolateRule(const service::ServiceOptions& options, const TrainingJob& job,
                   Launcher* launcher, AgentLaunch* launch);

// The agent's side. folder: of the agent; spec: as above. Does nothing if there is no box.
void UseBox(const std::string& folder, const Json& spec, watch::RuleTask* task);
// Moves what the rule wrote to where the task says. REQUIRES: the rule has ended. Errors as
// KeepRuleOutput.
Status KeepOutput(const std::string& folder, const Json& spec, const watch::RuleTask& task);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RULES_RULE_ISOLATION_H_
