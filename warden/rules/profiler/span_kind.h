#ifndef WARDEN_RULES_PROFILER_SPAN_KIND_H_
#define WARDEN_RULES_PROFILER_SPAN_KIND_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/base/types.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// Whether its times can be counted with: files may say anything.
inline bool IsUsable(const timeline::Span& span) {
  constexpr int64_t kMost = int64_t{1} << 53;  // 285 years.
  return span.start_us >= 0 && span.start_us < kMost && span.duration_us >= 0 &&
         span.duration_us < kMost;
}

// What a span tells of.
enum class SpanKind : uint8_t {
  kStep,
  kForward,
  kBackward,
  kOptimizer,
  kDataLoading,  // The training waits for a batch.
  kCpuOperator,
  kGpuOperator,
  kHorovod,
  kOther,
};
inline constexpr size_t kSpanKinds = 9;

SpanKind KindOf(std::string_view phase, timeline::Source source);

// Of "Step:ModeKeys.TRAIN"; GLOBAL counts as TRAIN. Nothing for what is no step.
std::optional<Mode> StepModeOf(std::string_view phase);

// A work of a data loader's worker, or of whoever loads data.
bool IsDataLoading(std::string_view phase);

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_SPAN_KIND_H_
