#ifndef WARDEN_RULES_CUSTOM_SHARED_OBJECT_RULE_H_
#define WARDEN_RULES_CUSTOM_SHARED_OBJECT_RULE_H_

#include <string>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/custom/loaded_rule.h"

namespace warden::rules {

// A rule of a shared object that keeps to warden_rule.h. It sees the tensors that collection_names
// and tensor_regex choose, without them all, as far as their values were saved; all other
// parameters are its own.
//
// kInvalid, beginning with the title, if the object cannot be loaded, is none of rules, is of
// another version, has no such rule, or the rule refuses its parameters.
Result<LoadedRule> LoadSharedObjectRule(const RuleConfig& config, const std::string& title);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_SHARED_OBJECT_RULE_H_
