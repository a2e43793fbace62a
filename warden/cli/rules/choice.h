#ifndef WARDEN_CLI_RULES_CHOICE_H_
#define WARDEN_CLI_RULES_CHOICE_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/rules/engine.h"
#include "warden/rules/rule_config.h"
#include "warden/trial/trial.h"

namespace warden::cli {

// What the user says about rules on the command line.
struct RuleFlags {
  std::vector<std::string> rules;  // Names with parameters, or presets.
  std::vector<std::string> own;    // "path.py:Class,key=value".
  std::string file;                // As the API has them.
};

// --rules, --rule and --rules-file.
void DefineRuleFlags(Command* command, RuleFlags* flags);

// The rules that were asked for; the preset `fallback` if none was. trial: of the run, if it is
// there already.
Result<std::vector<rules::RuleConfig>> ChooseRules(const RuleFlags& flags, const char* fallback,
                                                   const trial::Trial* trial);

// Adds the rule that gathers what the profiling report tells, unless it is asked for already.
void AddReportRule(std::vector<rules::RuleConfig>* configs);

// Checked and made ready; notices of other names are told.
Result<std::vector<rules::PreparedRule>> ReadyRules(std::vector<rules::RuleConfig> configs,
                                                    Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_CHOICE_H_
