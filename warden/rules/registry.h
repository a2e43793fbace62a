#ifndef WARDEN_RULES_REGISTRY_H_
#define WARDEN_RULES_REGISTRY_H_

#include <span>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// Every built-in rule, by name. A rule is added by writing its file, its test and its line in
// registry.cc.
std::span<const RuleEntry> BuiltinRules();

struct FoundRule {
  const RuleEntry* entry = nullptr;
  std::string notice;  // Not empty: it was asked for by another name, and this says so.
};

// By its name, in either spelling (VanishingGradient, vanishing_gradient), or by a name that users
// bring from elsewhere. kInvalid gives the nearest names.
Result<FoundRule> FindRule(std::string_view name);

// Parameters that every rule about tensors has.
std::span<const Param> CommonParams();
// Those and the rule's own.
std::vector<Param> AllParams(const RuleSpec& spec);

}  // namespace warden::rules

#endif  // WARDEN_RULES_REGISTRY_H_
