#include "warden/rules/catalog/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "warden/rules/catalog/registry.h"

namespace warden::rules {
namespace {

constexpr std::string_view kDeepLearning[] = {
    "CollapsedPredictions",
    "ConstantWeights",
    "DeadUnits",
    "Divergence",
    "EvaluationMode",
    "FrozenLayer",
    "GradientFlow",
    "GradientsNotCleared",
    "GraphsKeptAlive",
    "HalfPrecisionRange",
    "InputScale",
    "LossInputs",
    "NaNOrigin",
    "NotLearning",
    "Overfitting",
    "OptimizerCoverage",
    "ReplicaDesync",
    "SaturatedUnits",
    "SlowDataLoader",
    "StalledTrainingRule",
    "StragglerRank",
};
constexpr std::string_view kForTrees[] = {"CollapsedPredictions", "Divergence", "NotLearning",
                                          "Overfitting", "StalledTrainingRule"};
// Of the machine and the timeline; the other profiler rules, which healthy trainings trip now and
// then, speak in the report alone.
constexpr std::string_view kMachine[] = {
    "CPUBottleneck", "GPUMemoryIncrease", "IOBottleneck", "LoadBalancing", "LowGPUUtilization",
};

RuleConfig ConfigNamed(std::string_view name) {
  RuleConfig config{std::string(name), std::string(name), ""};
  config.of_preset = true;
  return config;
}

std::vector<RuleConfig> Default(std::span<const std::string_view> of_tensors) {
  std::vector<RuleConfig> configs;
  for (const std::string_view name : of_tensors) configs.push_back(ConfigNamed(name));
  for (const std::string_view name : kMachine) configs.push_back(ConfigNamed(name));
  return configs;
}

std::vector<RuleConfig> All() {
  std::vector<RuleConfig> configs;
  for (const RuleEntry& entry : BuiltinRules()) {
    if (entry.spec->kind == RuleKind::kReport) continue;
    const auto params = Params::Read(entry.spec->name, AllParams(*entry.spec), {});
    if (!params.ok() || !entry.make(params.value()).ok()) continue;
    configs.push_back(ConfigNamed(entry.spec->name));
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
  return IsXgBoost(trial) ? Default(kForTrees) : Default(kDeepLearning);
}

std::optional<RuleConfig> ReportRule(const std::vector<RuleConfig>& others) {
  const auto is_report = [](const RuleConfig& config) {
    const auto found = FindRule(config.rule);
    return config.source.empty() && found.ok() &&
           found.value().entry->spec->name == "ProfilerReport";
  };
  if (std::any_of(others.begin(), others.end(), is_report)) return std::nullopt;
  RuleConfig report{"ProfilerReport", "ProfilerReport", ""};
  report.for_report = true;
  for (const RuleConfig& config : others) {
    const auto found = FindRule(config.rule);
    if (!config.source.empty() || !found.ok()) continue;
    const RuleSpec& spec = *found.value().entry->spec;
    if (spec.kind != RuleKind::kProfiler) continue;
    for (const Param& param : spec.params) {
      const auto given = config.params.find(param.name);
      if (given == config.params.end()) continue;
      report.params[fmt::format("{}_{}", spec.name, param.name)] = given->second;
    }
  }
  return report;
}

}  // namespace warden::rules
