#ifndef WARDEN_RULES_CUSTOM_OWN_RULE_H_
#define WARDEN_RULES_CUSTOM_OWN_RULE_H_

#include "warden/base/status.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::rules {

// Loads a rule of the user's own from its file, a Python file or a shared object, and checks all
// that can be checked before there is a run. kInvalid begins with the file and the rule.
//
// The process of a Python rule ends with the thread that calls this.
// REQUIRES: config.source is not empty.
Result<PreparedRule> PrepareOwnRule(RuleConfig config);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_OWN_RULE_H_
