#ifndef WARDEN_CLI_RULES_RULE_AGENT_H_
#define WARDEN_CLI_RULES_RULE_AGENT_H_

#include <string>

namespace warden::cli {

// What `warden agent rule FOLDER` does: checks a training job with one rule, from its first step to
// the end of the job; see jobs/supervise/rule_launch.h for what the folder's spec.json holds.
//
// It reports {"status", "details", "step", "ended"} as the API spells them, and writes findings
// into the folder at once; see jobs/events/findings_file.h. It ends when the rule has fired,
// unless the rule writes a report of the whole run; when the job's end is marked and everything is
// evaluated; or on SIGTERM, as Stopped. Returns the exit code.
int RunRuleAgent(const std::string& folder);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_RULE_AGENT_H_
