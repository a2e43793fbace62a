#ifndef WARDEN_RULES_CUSTOM_OWN_RULE_H_
#define WARDEN_RULES_CUSTOM_OWN_RULE_H_

#include "warden/base/status.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::rules {

// Loads a custom rule from its file, a Python file or a shared object, and checks all that can be
// checked before there is a run. Used by PrepareRules for configs with a source.
//
// kInvalid begins with the file and the rule: no such file, a URL, another ending than .py or .so,
// a rule that is not in the file, or parameters that it rejects. kIo if a process cannot be
// started.
//
// A Python rule runs in a separate process, which the system kills when the thread that called this
// ends: call it on the thread that checks the run. REQUIRES: config.source is not empty.
Result<PreparedRule> PrepareOwnRule(RuleConfig config);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_OWN_RULE_H_
