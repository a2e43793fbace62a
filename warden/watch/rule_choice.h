#ifndef WARDEN_WATCH_RULE_CHOICE_H_
#define WARDEN_WATCH_RULE_CHOICE_H_

#include <set>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/launch_config.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/trial/trial.h"

namespace warden::watch {

// Rules as a person asks for them.
struct RuleFlags {
  std::vector<std::string> rules;   // Names with parameters, presets, or files ("x.json").
  std::vector<std::string> own;     // "path.py:Class,key=value".
  std::string file;                 // As the API has them.
  std::vector<std::string> shadow;  // As `rules`, or custom rules: evaluated without acting.
};

// The requested rules; the preset `fallback` if there are none; then the shadow rules. trial: null
// if the run has not begun. kInvalid names the flag (--rules, --rule, --rules-file, --shadow) and
// the file.
Result<std::vector<rules::RuleConfig>> ChooseRules(const RuleFlags& flags, const char* fallback,
                                                   const trial::Trial* trial);

// Adds the rule behind the profiling report, unless it is requested already.
void AddReportRule(std::vector<rules::RuleConfig>* configs);

// The rules that the user asked for by name, not those of a preset.
std::set<std::string> NamedRules(const std::vector<rules::PreparedRule>& rules);

// Adds what the rules need to what is saved, if the user named the rule; not for those of a preset.
Status SaveForRules(const std::vector<rules::PreparedRule>& rules, config::LaunchConfig* config);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_RULE_CHOICE_H_
