#ifndef WARDEN_RULES_CUSTOM_SHARED_OBJECT_RULE_H_
#define WARDEN_RULES_CUSTOM_SHARED_OBJECT_RULE_H_

#include <string>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/custom/loaded_rule.h"

namespace warden::rules {

// Loads a rule from a shared object that implements warden_rule.h. Used by PrepareOwnRule. The rule
// sees the tensors that the parameters collection_names and tensor_regex select, by default all, as
// far as their values were saved; all other parameters are passed to it. It runs in this process
// and thread: if it crashes, so does warden. The object stays loaded as long as the rule.
//
// kInvalid, beginning with the title, if the object cannot be loaded, does not export warden_rules,
// has another interface version, does not have the rule, or if the rule rejects its parameters.
Result<LoadedRule> LoadSharedObjectRule(const RuleConfig& config, const std::string& title);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_SHARED_OBJECT_RULE_H_
