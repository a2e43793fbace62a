#ifndef WARDEN_CLI_RULES_CHOICE_H_
#define WARDEN_CLI_RULES_CHOICE_H_

#include <set>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/engine/engine.h"
#include "warden/trial/trial.h"

namespace warden::cli {

// Rules as the command line gives them.
struct RuleFlags {
  std::vector<std::string> rules;  // Names with parameters, or presets.
  std::vector<std::string> own;    // "path.py:Class,key=value".
  std::string file;                // As the API has them.
};

// --rules, --rule and --rules-file.
void DefineRuleFlags(Command* command, RuleFlags* flags);

// The requested rules; the preset `fallback` if there are none. trial: null if the run has not
// begun.
Result<std::vector<rules::RuleConfig>> ChooseRules(const RuleFlags& flags, const char* fallback,
                                                   const trial::Trial* trial);

// Adds the rule behind the profiling report, unless it is requested already.
void AddReportRule(std::vector<rules::RuleConfig>* configs);

// Checks the configurations and makes the rules; tells where a rule has another name here.
Result<std::vector<rules::PreparedRule>> ReadyRules(std::vector<rules::RuleConfig> configs,
                                                    Output* out);

// The rules that the user asked for by name, not those of a preset.
std::set<std::string> NamedRules(const std::vector<rules::PreparedRule>& rules);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_CHOICE_H_
