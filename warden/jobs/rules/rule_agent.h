#ifndef WARDEN_JOBS_RULES_RULE_AGENT_H_
#define WARDEN_JOBS_RULES_RULE_AGENT_H_

#include <functional>
#include <string>

#include "warden/watch/task/rule_task.h"

namespace warden::jobs {

// What `warden agent rule FOLDER` does: checks a training job with one rule, from its first step to
// the end of the job; see rule_launch.h for what the folder's spec.json holds.
//
// It reports {"status", "details", "step", "ended"} as the API spells them, and writes findings
// into the folder at once; see jobs/events/findings_file.h. It ends when the rule has fired,
// unless the rule writes a report of the whole run; when the job's end is marked and everything is
// evaluated; or when `stop` returns true, as Stopped. Returns the exit code.
//
// printer: writes what it hears of to standard output and error, which are the log of the rule
// then; findings before they are in the folder. stop: asked several times a second. Catch the
// signals that it stands for before this is called.
int RunRuleAgent(const std::string& folder, watch::RuleListener* printer,
                 const std::function<bool()>& stop);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RULES_RULE_AGENT_H_
