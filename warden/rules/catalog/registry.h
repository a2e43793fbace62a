#ifndef WARDEN_RULES_CATALOG_REGISTRY_H_
#define WARDEN_RULES_CATALOG_REGISTRY_H_

#include <span>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// All built-in rules, sorted by name. To add a rule, add its file, its test and its line in
// registry.cc.
std::span<const RuleEntry> BuiltinRules();

struct FoundRule {
  const RuleEntry* entry = nullptr;
  std::string notice;  // Set if the name is an alias.
};

// Finds a rule by its name, in either spelling (VanishingGradient, vanishing_gradient), or by an
// alias. kInvalid suggests similar names.
Result<FoundRule> FindRule(std::string_view name);

// Parameters that all tensor rules share.
std::span<const Param> CommonParams();
// These and the rule's own parameters.
std::vector<Param> AllParams(const RuleSpec& spec);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_REGISTRY_H_
