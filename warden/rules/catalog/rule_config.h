#ifndef WARDEN_RULES_CATALOG_RULE_CONFIG_H_
#define WARDEN_RULES_CATALOG_RULE_CONFIG_H_

// Rules as users ask for them, before they are checked: from the command line, from a file or from
// the SageMaker API. PrepareRules turns them into rules.
//
//   const auto configs = ParseRuleText("VanishingGradient:threshold=1e-6,AllZero");
//   auto prepared = PrepareRules(configs.value(), &notices);

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/rules/param.h"

namespace warden::rules {

// A rule that somebody asks for. Nothing in it is checked yet: the rule may not exist.
struct RuleConfig {
  std::string name;        // How the user calls it; unique in a run (MakeNamesUnique).
  std::string rule;        // The built-in rule's name, or the class or name of a custom rule.
  std::string source;      // The file of a custom rule: "rules.py", "rule.so". Empty: built in.
  ParamTexts params = {};  // As the user wrote them.
  std::string action_json = {};  // What to do when it fires, see actions/; empty: nothing.
  bool of_preset = false;        // Not named by the user: nothing is saved for its sake.
  bool for_report = false;       // Not asked for: only feeds the report, reports no findings.
  bool shadow = false;           // Evaluated and recorded, but nobody acts on what it finds.
  // Of a custom rule that checks what the profiler saved instead of tensors: the profiler's folder,
  // and a folder that the rule may write to. Empty: it checks tensors.
  std::string profile = {};
  std::string profile_output = {};
  // Where the code of a custom rule in Python runs, other than beside its watcher: the words of a
  // program that takes the command as one more word, a JSON list, and the rule's file as it is seen
  // there. Empty: nowhere else.
  std::vector<std::string> python_prefix = {};
  std::string python_source = {};
};

// 'Name', 'Name:key=value;key=value', and several of them separated by commas: a comma separates
// only where the name of a rule follows, so that values may contain commas. Custom rules are
// 'path.py:Class,key=value' or 'path.so:Name,key=value', one to a text. kInvalid for a text that
// names no rule, for a pair without '=', and for a key that is given twice.
Result<std::vector<RuleConfig>> ParseRuleText(std::string_view text);

// As the SageMaker API has them: a list of {"RuleConfigurationName", "RuleParameters":
// {"rule_to_invoke", ...}, ...}, also inside {"DebugRuleConfigurations": [...],
// "ProfilerRuleConfigurations": [...]}. Members that say where a rule runs are ignored. kInvalid
// names the position in the list, from 1, and what is accepted.
Result<std::vector<RuleConfig>> RuleConfigsFromJson(const Json& json);

// Renames rules that were asked for twice without a name: "Name-2" and so on. kInvalid if the user
// gave two rules the same name.
Status MakeNamesUnique(std::vector<RuleConfig>* configs);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_RULE_CONFIG_H_
