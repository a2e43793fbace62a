#include "warden/rules/catalog/rule_inputs.h"

#include "warden/base/json.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::rules {

std::optional<RuleInputs> InputsOfRule(const Json& configuration) {
  const auto configs = RuleConfigsFromJson(Json::array({configuration}));
  if (!configs.ok() || !configs.value().front().source.empty()) return std::nullopt;
  RuleConfig config = configs.value().front();
  config.params.erase("base_trial");  // As PrepareRules does.
  const auto found = FindRule(config.rule);
  if (!found.ok()) return std::nullopt;
  const RuleEntry& entry = *found.value().entry;
  const auto params = Params::Read(entry.spec->name, AllParams(*entry.spec), config.params);
  if (!params.ok()) return std::nullopt;
  const auto rule = entry.make(params.value());
  if (!rule.ok()) return std::nullopt;
  return RuleInputs{entry.spec, rule.value()->inputs()};
}

}  // namespace warden::rules
