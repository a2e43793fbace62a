#include "warden/watch/summary/run_facts.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

#include "warden/rules/xgboost_names.h"
#include "warden/timeline/feed/tapped_feed.h"

namespace warden::watch {
namespace {

using RuleNames = std::span<const std::string_view>;

constexpr std::string_view kNeedGpu[] = {"BatchSize", "CPUBottleneck", "GPUMemoryIncrease",
                                         "IOBottleneck", "LowGPUUtilization"};
constexpr std::string_view kNeedTwoGpus[] = {"LoadBalancing"};
constexpr std::string_view kNeedTwoWorkers[] = {"ReplicaDesync", "StragglerRank"};
constexpr std::string_view kNeedHalfPrecision[] = {"HalfPrecisionRange"};
constexpr std::string_view kNeedTrees[] = {"CreateXgboostReport", "FeatureImportanceOverweight",
                                           "TreeDepth"};
constexpr std::string_view kNeedNetwork[] = {
    "CheckInputImages",         "DeadRelu",      "GradientNormSpike",   "NaNOrigin",
    "NLPSequenceRatio",         "ReplicaDesync", "SaturatedActivation", "VanishingGradient",
    "PoorWeightInitialization", "GradientFlow",  "WeightUpdateRatio"};

constexpr std::string_view kNeedLoop[] = {
    "CollapsedPredictions", "ConstantWeights", "DeadUnits",         "EvaluationMode",
    "FrozenLayer",          "GraphsKeptAlive", "InputScale",        "GradientsNotCleared",
    "LossInputs",           "SaturatedUnits",  "OptimizerCoverage", "SlowDataLoader",
    "StragglerRank"};

bool IsIn(std::string_view rule, RuleNames names) {
  return std::find(names.begin(), names.end(), rule) != names.end();
}

// That the driver of this machine knows.
int GpusHere() {
  std::error_code error;
  const std::filesystem::directory_iterator gpus("/proc/driver/nvidia/gpus", error);
  return error ? 0 : static_cast<int>(std::distance(begin(gpus), end(gpus)));
}

// Of the first tensor in one of the collections whose statistics are saved as the budget allows.
size_t StepsWithStatistics(const trial::Trial& trial) {
  for (const char* collection : {"gradients", "weights", "biases"}) {
    const auto names = trial.TensorNames({.collection = collection});
    if (!names.ok() || names.value().empty()) continue;
    const auto steps = trial.TensorSteps(names.value().front());
    if (steps.ok()) return steps.value().size();
  }
  return 0;
}

std::optional<double> CaptureShare(const trial::Trial& trial) {
  constexpr std::string_view kShare = "training/capture_share";
  if (!trial.HasTensor(kShare)) return std::nullopt;
  const auto steps = trial.TensorSteps(kShare);
  if (!steps.ok() || steps.value().empty()) return std::nullopt;
  const auto share = trial.ReductionValue(kShare, steps.value().back(), {ReductionOp::kMean});
  return share.ok() ? std::optional(share.value()) : std::nullopt;
}

}  // namespace

RunFacts FactsOf(const trial::Trial* trial, std::optional<int> gpus) {
  RunFacts facts;
  facts.gpus = gpus ? *gpus : GpusHere();
  if (trial == nullptr) return facts;
  facts.steps = trial->Steps(Mode::kGlobal, /*include_incomplete=*/true).size();
  if (const auto names = trial->TensorNames(); names.ok()) {
    facts.tensors = names.value().size();
    const auto any = [&](std::string_view prefix) {
      return std::any_of(names.value().begin(), names.value().end(),
                         [&](const std::string& name) { return name.starts_with(prefix); });
    };
    facts.loop_observed = any("training/");
    facts.half_precision = any("exponents/");
  }
  facts.steps_with_statistics = StepsWithStatistics(*trial);
  facts.capture_share = CaptureShare(*trial);
  facts.workers = trial->num_workers();
  facts.xgboost = rules::IsXgboostRun(*trial);
  return facts;
}

bool CanApply(std::string_view rule, const RunFacts& facts) {
  if (IsIn(rule, kNeedGpu) && facts.gpus < 1) return false;
  if (IsIn(rule, kNeedTwoGpus) && facts.gpus < 2) return false;
  if (IsIn(rule, kNeedTwoWorkers) && facts.workers == 1) return false;
  if (IsIn(rule, kNeedHalfPrecision) && !facts.half_precision) return false;
  if (IsIn(rule, kNeedLoop) && !facts.loop_observed) return false;
  return !IsIn(rule, facts.xgboost ? RuleNames(kNeedNetwork) : RuleNames(kNeedTrees));
}

std::unique_ptr<timeline::ProfileFeed> CountGpus(std::unique_ptr<timeline::ProfileFeed> feed,
                                                 std::optional<int>* gpus) {
  return timeline::Tap(std::move(feed), [gpus](const timeline::ProfileBatch& batch, const auto&) {
    for (const timeline::NodeSample& sample : batch.samples) {
      *gpus = std::max(gpus->value_or(0), static_cast<int>(sample.gpus.size()));
    }
  });
}

}  // namespace warden::watch
