#ifndef WARDEN_RULES_CATALOG_RULE_CONFIG_H_
#define WARDEN_RULES_CATALOG_RULE_CONFIG_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/rules/param.h"

namespace warden::rules {

// A rule that somebody asks for.
struct RuleConfig {
  std::string name;    // How the user calls it; no two of a run are the same.
  std::string rule;    // The rule's own name, or for one of the user's the name of its class.
  std::string source;  // The file of a rule of the user's own: "rules.py", "rule.so". Else empty.
  ParamTexts params = {};
  std::string action_json = {};  // What to do when it fires; empty: nothing.
  bool of_preset = false;        // Not named by the user: nothing is saved on its account.
  bool for_report = false;       // Not asked for: it only gathers what the report tells.
};

// 'Name', 'Name:key=value;key=value', and more of them with commas between: a comma separates only
// where the name of a rule follows, so that values may have commas in them. Rules of the user's own
// are 'path.py:Class,key=value'; one of them to a text.
Result<std::vector<RuleConfig>> ParseRuleText(std::string_view text);

// As the SageMaker API has them: a list of {"RuleConfigurationName", "RuleParameters":
// {"rule_to_invoke", ...}, ...}, also inside {"DebugRuleConfigurations": [...],
// "ProfilerRuleConfigurations": [...]}. kInvalid names the place and what is accepted.
Result<std::vector<RuleConfig>> RuleConfigsFromJson(const Json& json);

// Names again, "Name-2" and so on, where the user gave the same twice without saying so.
// kInvalid if two were given the same name on purpose.
Status MakeNamesUnique(std::vector<RuleConfig>* configs);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_RULE_CONFIG_H_
