#ifndef WARDEN_RULES_CATALOG_RULE_INPUTS_H_
#define WARDEN_RULES_CATALOG_RULE_INPUTS_H_

// What a rule of a job will look at, before the job runs: so that what it needs is saved, or its
// owner is warned.

#include <optional>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// The inputs of a rule that was not prepared.
struct RuleInputs {
  const RuleSpec* spec = nullptr;  // Never null; of a built-in rule.
  std::vector<Selector> selectors;
};

// Of one rule as the SageMaker API has it, see RuleConfigsFromJson. Nothing for a custom rule, and
// for one that PrepareRules refuses.
std::optional<RuleInputs> InputsOfRule(const Json& configuration);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_RULE_INPUTS_H_
