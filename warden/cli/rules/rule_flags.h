#ifndef WARDEN_CLI_RULES_RULE_FLAGS_H_
#define WARDEN_CLI_RULES_RULE_FLAGS_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/watch/rule_choice.h"

namespace warden::cli {

// --rules, --rule and --rules-file.
void DefineRuleFlags(Command* command, watch::RuleFlags* flags);

// --shadow.
void DefineShadowFlag(Command* command, watch::RuleFlags* flags);
// --baseline: a file, a run, or last-good; see watch::AddBaselineRule.
void DefineBaselineFlag(Command* command, std::string* baseline);

// Checks the configurations and makes the rules; tells where a rule has another name here.
Result<std::vector<rules::PreparedRule>> ReadyRules(std::vector<rules::RuleConfig> configs,
                                                    Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_RULE_FLAGS_H_
