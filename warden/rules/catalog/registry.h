#ifndef WARDEN_RULES_CATALOG_REGISTRY_H_
#define WARDEN_RULES_CATALOG_REGISTRY_H_

// The list of built-in rules. The engine finds rules here by name; `warden rules`, the API and the
// dashboard list them. Everything is constant after start: safe for any number of threads.
//
//   const auto found = FindRule("vanishing_gradient");
//   if (!found.ok()) return found.status();  // unknown rule '...'; did you mean ...?
//   const RuleSpec& spec = *found.value().entry->spec;

#include <span>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// All built-in rules, sorted by name without regard to case. Valid as long as the process. To add a
// rule, add its file, its test and its line in registry.cc.
std::span<const RuleEntry> BuiltinRules();

// A built-in rule that was found by name.
struct FoundRule {
  const RuleEntry* entry = nullptr;  // Never null; not owned.
  std::string notice;                // Set if the name is an alias: what it stands for.
};

// Finds a rule by its name, in any spelling (VanishingGradient, vanishing_gradient,
// VANISHING-GRADIENT), or by an alias. Blanks around it are ignored. kInvalid suggests the three
// names that are most similar.
Result<FoundRule> FindRule(std::string_view name);

// Parameters that all tensor rules share: start_step and end_step. The engine applies them.
std::span<const Param> CommonParams();
// The rule's own parameters and, for kDebug rules, the shared ones that it does not declare itself.
std::vector<Param> AllParams(const RuleSpec& spec);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_REGISTRY_H_
