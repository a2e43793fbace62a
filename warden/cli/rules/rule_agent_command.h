#ifndef WARDEN_CLI_RULES_RULE_AGENT_COMMAND_H_
#define WARDEN_CLI_RULES_RULE_AGENT_COMMAND_H_

// The process of one rule of a job, as a command. What it does is in jobs/rules/rule_agent.h; this
// adds the words and the signals.

#include <string>

namespace warden::cli {

// jobs::RunRuleAgent for `warden agent rule FOLDER`: prints alerts and the summary to its log, and
// ends on SIGTERM, as Stopped. Returns the exit code. folder: of the agent, with its spec.json;
// made by the service. Standard output and error become the rule's log. For the main thread, before
// any other is started.
int RunRuleAgent(const std::string& folder);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_RULE_AGENT_COMMAND_H_
