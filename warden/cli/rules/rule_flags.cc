#include "warden/cli/rules/rule_flags.h"

#include <utility>

#include "warden/cli/text.h"
#include "warden/rules/engine/engine.h"

namespace warden::cli {

void DefineRuleFlags(Command* command, watch::RuleFlags* flags) {
  command->Texts(
      "--rules", &flags->rules,
      "Rules to check: 'Name:key=value;key=value,Name', a rules file (x.json), or default, "
      "all, none");
  command->Texts("--rule", &flags->own, "Custom rule: path.py:Class,key=value");
  command->Text("--rules-file", &flags->file, "JSON file with rules in the SageMaker API format");
}

void DefineShadowFlag(Command* command, watch::RuleFlags* flags) {
  command->Texts("--shadow", &flags->shadow,
                 "Rules to try out, as for --rules: recorded, but without alerts, actions or "
                 "effect on the exit code");
}

void DefineBaselineFlag(Command* command, std::string* baseline) {
  command->Text("--baseline", baseline,
                "Compare with good runs: a file of 'warden baseline learn', the folder of a run, "
                "or last-good");
}

Result<std::vector<rules::PreparedRule>> ReadyRules(std::vector<rules::RuleConfig> configs,
                                                    Output* out) {
  std::vector<std::string> notices;
  auto prepared = rules::PrepareRules(std::move(configs), &notices);
  for (const std::string& notice : notices) out->Tell(Printable(notice));
  return prepared;
}

}  // namespace warden::cli
