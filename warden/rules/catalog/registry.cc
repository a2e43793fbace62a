#include "warden/rules/catalog/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "warden/base/strings.h"
#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

// By name. A new rule goes here; everything else learns of it from this list.
const std::array kRules = {
    AllZero(),
    BatchSize(),
    CheckInputImages(),
    ClassImbalance(),
    CollapsedPredictions(),
    Confusion(),
    ConstantWeights(),
    CPUBottleneck(),
    CreateXgboostReport(),
    Dataloader(),
    DeadRelu(),
    DeadUnits(),
    DetailedProfilerProcessing(),
    Divergence(),
    EvaluationMode(),
    ExplodingTensor(),
    FeatureImportanceOverweight(),
    FrozenLayer(),
    GPUMemoryIncrease(),
    GradientFlow(),
    GradientNormSpike(),
    GradientsNotCleared(),
    GraphsKeptAlive(),
    HalfPrecisionRange(),
    InputScale(),
    IOBottleneck(),
    LoadBalancing(),
    LossInputs(),
    LossNotDecreasing(),
    LossSpike(),
    LowGPUUtilization(),
    MaxInitializationTime(),
    NaNOrigin(),
    NLPSequenceRatio(),
    NotLearning(),
    OptimizerCoverage(),
    OutsideBaseline(),
    OverallFrameworkMetrics(),
    OverallSystemUsage(),
    Overfit(),
    Overfitting(),
    Overtraining(),
    PoorWeightInitialization(),
    ProfilerReport(),
    ReplicaDesync(),
    SaturatedActivation(),
    SaturatedUnits(),
    SimilarAcrossRuns(),
    SlowDataLoader(),
    StalledTraining(),
    StepOutlier(),
    StragglerRank(),
    TensorVariance(),
    TreeDepth(),
    UnchangedTensor(),
    VanishingGradient(),
    WeightUpdateRatio(),
};

struct Alias {
  std::string_view name;
  std::string_view proper;
};
constexpr Alias kAliases[] = {
    {"WeightUpdate", "WeightUpdateRatio"},      {"GradientClipping", "GradientNormSpike"},
    {"StalledTraining", "StalledTrainingRule"}, {"HardwareUtilization", "OverallSystemUsage"},
    {"CPUUtilization", "CPUBottleneck"},        {"TfOperatorTime", "OverallFrameworkMetrics"},
};

constexpr Param kCommon[] = {
    {"start_step", ParamType::kInteger, "0", "First global step to check", 0},
    {"end_step", ParamType::kInteger, "", "Stop checking before this global step", 0},
};

// One spelling for VanishingGradient, vanishing_gradient and VANISHINGGRADIENT.
std::string Folded(std::string_view name) {
  std::string folded;
  for (const char c : name) {
    if (c != '_' && c != '-') folded += static_cast<char>(std::tolower(static_cast<uint8_t>(c)));
  }
  return folded;
}

const RuleEntry* Find(std::string_view folded) {
  const auto found = std::find_if(kRules.begin(), kRules.end(), [&](const RuleEntry& entry) {
    return Folded(entry.spec->name) == folded;
  });
  return found == kRules.end() ? nullptr : &*found;
}

Status NoSuchRule(std::string_view name) {
  std::vector<std::string> names;
  for (const RuleEntry& entry : kRules) names.emplace_back(entry.spec->name);
  const std::vector<std::string> nearest = NearestNames(name, names, 3);
  const std::string hint =
      nearest.empty() ? "" : fmt::format("did you mean {}? ", fmt::join(nearest, ", "));
  return Status(Code::kInvalid,
                fmt::format("unknown rule '{}'; {}'warden rules' lists all", name, hint));
}

}  // namespace

std::span<const RuleEntry> BuiltinRules() { return kRules; }

Result<FoundRule> FindRule(std::string_view name) {
  const std::string folded = Folded(Trim(name));
  if (const RuleEntry* entry = Find(folded)) return FoundRule{entry, ""};
  for (const Alias& alias : kAliases) {
    if (Folded(alias.name) != folded) continue;
    return FoundRule{Find(Folded(alias.proper)),
                     fmt::format("'{}' is an alias of {}", name, alias.proper)};
  }
  return NoSuchRule(name);
}

std::span<const Param> CommonParams() { return kCommon; }

std::vector<Param> AllParams(const RuleSpec& spec) {
  std::vector<Param> params(spec.params.begin(), spec.params.end());
  if (spec.kind != RuleKind::kDebug) return params;
  for (const Param& common : kCommon) {
    const bool own = std::any_of(params.begin(), params.end(),
                                 [&](const Param& param) { return param.name == common.name; });
    if (!own) params.push_back(common);
  }
  return params;
}

}  // namespace warden::rules
