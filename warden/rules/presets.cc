#include "warden/rules/presets.h"

#include <span>
#include <string>

#include "warden/rules/registry.h"

namespace warden::rules {
namespace {

constexpr std::string_view kDeepLearning[] = {
    "DeadRelu",          "ExplodingTensor",   "GradientNormSpike",   "LossSpike",
    "NaNOrigin",         "ReplicaDesync",     "SaturatedActivation", "StalledTrainingRule",
    "VanishingGradient", "WeightUpdateRatio",
};
constexpr std::string_view kTrees[] = {"ExplodingTensor", "LossSpike", "StalledTrainingRule"};

RuleConfig ByName(std::string_view name) {
  RuleConfig config{std::string(name), std::string(name), ""};
  config.of_preset = true;
  return config;
}

std::vector<RuleConfig> Named(std::span<const std::string_view> names) {
  std::vector<RuleConfig> configs;
  for (const std::string_view name : names) {
    configs.push_back(ByName(name));
  }
  return configs;
}

std::vector<RuleConfig> All() {
  std::vector<RuleConfig> configs;
  for (const RuleEntry& entry : BuiltinRules()) {
    const auto params = Params::Read(entry.spec->name, AllParams(*entry.spec), {});
    if (!params.ok() || !entry.make(params.value()).ok()) continue;
    configs.push_back(ByName(entry.spec->name));
  }
  return configs;
}

bool IsXgBoost(const trial::Trial* trial) {
  return trial != nullptr && trial->collections().contains("feature_importance") &&
         !trial->collections().contains("gradients");
}

}  // namespace

std::optional<std::vector<RuleConfig>> Preset(std::string_view name, const trial::Trial* trial) {
  if (name == "none") return std::vector<RuleConfig>();
  if (name == "all") return All();
  if (name != "default") return std::nullopt;
  return IsXgBoost(trial) ? Named(kTrees) : Named(kDeepLearning);
}

}  // namespace warden::rules
