#ifndef WARDEN_RULES_CATALOG_PREPARED_RULE_H_
#define WARDEN_RULES_CATALOG_PREPARED_RULE_H_

#include <memory>

#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/param.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// A rule that was made from a configuration and checked, not yet bound to a run. PrepareRules makes
// them, Engine::Make takes them over.
struct PreparedRule {
  RuleConfig config;               // As the user asked for it, with its unique name.
  const RuleSpec* spec = nullptr;  // Never null; a custom rule owns its own, so `rule` outlives it.
  Params params;                   // Checked, defaults filled in.
  std::unique_ptr<Rule> rule;      // Never null.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_PREPARED_RULE_H_
