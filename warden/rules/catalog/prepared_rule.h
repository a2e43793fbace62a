#ifndef WARDEN_RULES_CATALOG_PREPARED_RULE_H_
#define WARDEN_RULES_CATALOG_PREPARED_RULE_H_

// Between the configuration of a rule and its evaluation: everything that can be wrong with a
// rule's name or parameters has been found before one of these exists.

#include <memory>

#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/param.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// A rule that was made from a configuration and checked, not yet bound to a run. PrepareRules makes
// them, Engine::Make takes them over. Moved, not copied. Nothing of the run has been read yet.
struct PreparedRule {
  // As the user asked for it, with its unique name: two rules of one kind have different ones.
  RuleConfig config;
  // Never null. Of a custom rule it belongs to `rule`, so it must not be used after that.
  const RuleSpec* spec = nullptr;
  Params params;               // Checked, defaults filled in.
  std::unique_ptr<Rule> rule;  // Never null.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_PREPARED_RULE_H_
