#ifndef WARDEN_RULES_CATALOG_PREPARED_RULE_H_
#define WARDEN_RULES_CATALOG_PREPARED_RULE_H_

#include <memory>

#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/param.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// A rule made ready, not yet bound to a run.
struct PreparedRule {
  RuleConfig config;
  const RuleSpec* spec = nullptr;
  Params params;
  std::unique_ptr<Rule> rule;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_PREPARED_RULE_H_
