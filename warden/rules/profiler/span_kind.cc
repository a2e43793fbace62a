#include "warden/rules/profiler/span_kind.h"

#include "warden/base/strings.h"

namespace warden::rules {
namespace {

constexpr std::string_view kStepPrefix = "Step:ModeKeys.";
constexpr std::string_view kSubModule = "SubModuleInternal";  // Part of a pass, which is counted.

bool IsPass(std::string_view phase, std::string_view name) {
  return phase.starts_with(name) && phase.find(kSubModule) == std::string_view::npos;
}

}  // namespace

std::optional<Mode> StepModeOf(std::string_view phase) {
  if (!phase.starts_with(kStepPrefix)) return std::nullopt;
  const auto mode = ParseMode(phase.substr(kStepPrefix.size()));
  return mode == Mode::kGlobal ? Mode::kTrain : mode;
}

std::optional<int64_t> AnnotatedStepOf(std::string_view phase, std::string_view name) {
  constexpr std::string_view kStep = "step";
  if (phase != "Annotation" || !LowerAscii(name.substr(0, kStep.size())).starts_with(kStep)) {
    return std::nullopt;
  }
  name.remove_prefix(kStep.size());
  if (name.empty()) return -1;
  if (std::string_view("_- ").find(name[0]) != std::string_view::npos) name.remove_prefix(1);
  const auto number = ParseInt(name);
  return number && *number >= 0 ? number : std::nullopt;
}

bool IsDataLoading(std::string_view phase) {
  return phase == "DataLoaderIter" || phase == "DataLoaderWorker";
}

SpanKind KindOf(std::string_view phase, timeline::Source source) {
  if (source == timeline::Source::kHorovod) return SpanKind::kHorovod;
  if (StepModeOf(phase)) return SpanKind::kStep;
  if (IsPass(phase, "Forward")) return SpanKind::kForward;
  if (IsPass(phase, "Backward")) return SpanKind::kBackward;
  if (phase.starts_with("Optimizer")) return SpanKind::kOptimizer;
  if (phase == "DataLoaderIter" || phase == "DataIterator") return SpanKind::kDataLoading;
  if (phase.starts_with("cpu_functions") || phase.find("/host:CPU") != std::string_view::npos) {
    return SpanKind::kCpuOperator;
  }
  if (phase.starts_with("gpu_functions") || phase.find("/device:GPU") != std::string_view::npos) {
    return SpanKind::kGpuOperator;
  }
  return SpanKind::kOther;
}

}  // namespace warden::rules
