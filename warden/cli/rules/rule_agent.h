#ifndef WARDEN_CLI_RULES_RULE_AGENT_H_
#define WARDEN_CLI_RULES_RULE_AGENT_H_

#include <string>

namespace warden::cli {

// What `warden agent rule FOLDER` does: judges a training job by one rule, from its first step to
// the end of the job; see service/supervise/rule_launch.h for what the folder's spec.json says.
//
// It says {"status", "details", "step", "ended"} as the API spells it, and writes what it finds
// into the folder the moment it is found; see service/supervise/findings_file.h. It comes to its
// end when the rule has fired, unless that writes a report of the whole run; when the job's end is
// marked and all is judged; or on SIGTERM, as Stopped. The exit code.
int RunRuleAgent(const std::string& folder);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_RULE_AGENT_H_
