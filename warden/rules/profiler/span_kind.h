#ifndef WARDEN_RULES_PROFILER_SPAN_KIND_H_
#define WARDEN_RULES_PROFILER_SPAN_KIND_H_

// What a span is about, by the name of its phase. Used by the profiler rules that read timelines,
// and by the dashboard's profile.

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/base/types.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// Whether its times can be computed with: files may contain anything. start and duration are then
// from 0 to 2^53 microseconds, so that sums do not overflow.
inline bool IsUsable(const timeline::Span& span) {
  constexpr int64_t kMost = int64_t{1} << 53;  // 285 years.
  return span.start_us >= 0 && span.start_us < kMost && span.duration_us >= 0 &&
         span.duration_us < kMost;
}

// What a span measures. In FrameworkBreakdown each of them is a position in an array: kSpanKinds is
// their number.
enum class SpanKind : uint8_t {
  kStep,         // "Step:ModeKeys.TRAIN".
  kForward,      // The model's forward pass as a whole, without its submodules.
  kBackward,     // The same of the backward pass.
  kOptimizer,    // The optimizer's step.
  kDataLoading,  // The training waits for a batch.
  kCpuOperator,  // "cpu_functions", TensorFlow's "/host:CPU".
  kGpuOperator,  // "gpu_functions", TensorFlow's "/device:GPU".
  kHorovod,      // Whatever Horovod's own timeline has.
  kOther,        // Anything else.
};
inline constexpr size_t kSpanKinds = 9;

// Names are matched exactly as hooks and frameworks write them. Submodules of a pass are kOther,
// since the pass around them is counted. A phase that nobody knows is kOther, never an error.
SpanKind KindOf(std::string_view phase, timeline::Source source);

// The mode of "Step:ModeKeys.TRAIN"; GLOBAL counts as TRAIN. Nothing for a phase that is not a
// step.
std::optional<Mode> StepModeOf(std::string_view phase);

// The number of a step that a script has annotated: 12 for "step_12" of phase "Annotation", -1 for
// "step". Nothing for other spans.
std::optional<int64_t> AnnotatedStepOf(std::string_view phase, std::string_view name);

// Whether a data loader's worker, or a process that loads data itself, was at work. For the rule
// Dataloader, which counts workers; KindOf counts only the time that the training waits.
bool IsDataLoading(std::string_view phase);

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_SPAN_KIND_H_
