#ifndef WARDEN_CLI_RULES_RULE_AGENT_H_
#define WARDEN_CLI_RULES_RULE_AGENT_H_

#include <string>

namespace warden::cli {

// jobs::RunRuleAgent for `warden agent rule FOLDER`: prints alerts and the summary to its log, and
// ends on SIGTERM, as Stopped. Returns the exit code.
int RunRuleAgent(const std::string& folder);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_RULE_AGENT_H_
