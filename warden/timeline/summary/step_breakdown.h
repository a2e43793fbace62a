#ifndef WARDEN_TIMELINE_SUMMARY_STEP_BREAKDOWN_H_
#define WARDEN_TIMELINE_SUMMARY_STEP_BREAKDOWN_H_

// What steps were spent on, from the spans of a timeline. Used by SummariseTimelines; the
// dashboard's metrics use ModeOfStepPhase.
//
//   StepBreakdowns breakdowns(&names);
//   for (const Span& span : spans) breakdowns.Add(span);
//   for (const StepBreakdown& step : breakdowns.Finish()) Use(step.us.forward);

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/timeline/names.h"
#include "warden/timeline/span.h"

namespace warden::timeline {

// What a step was spent on, in microseconds. Parts that overlap are counted in each; what lies in
// none of them is `other`. Only spans of the same process count, by their phases: "Forward",
// "Backward", "Optimizer", and those of data loaders. Spans of one part that overlap each other are
// counted once.
struct StepShares {
  double forward = 0;       // Forward pass.
  double backward = 0;      // Backward pass.
  double optimizer = 0;     // Optimizer step.
  double data_loading = 0;  // The training waits for a batch.
  double other = 0;         // In none of the above.
};

// One step of one process. NameIds are of the Names given to StepBreakdowns.
struct StepBreakdown {
  NameId phase = 0;      // "Step:ModeKeys.TRAIN".
  NameId node = 0;       // Process and host.
  int64_t step = -1;     // In its mode; -1: not said.
  int64_t start_us = 0;  // Since 1970.
  int64_t duration_us = 0;
  StepShares us;
};

// "TRAIN" of the phase "Step:ModeKeys.TRAIN"; nothing for a phase that is not a step. Refers to the
// argument.
std::optional<std::string_view> ModeOfStepPhase(std::string_view phase);

// Gets spans in any order, keeps those that matter for steps, and finds out for each step what the
// same process did in it. Memory grows with the number of steps. For one thread. Spans of other
// phases, operators above all, cost one look-up and no memory.
class StepBreakdowns {
 public:
  // names: those of the spans; not owned, outlives this.
  explicit StepBreakdowns(const Names* names) : names_(names) {}

  // Any times are accepted; a step of no length has all shares 0.
  void Add(const Span& span);
  // All steps, by start, then node. Call it once; the object is empty afterwards.
  std::vector<StepBreakdown> Finish();

 private:
  enum Part : uint8_t { kForward, kBackward, kOptimizer, kDataLoading, kParts, kStep, kNone };
  struct Interval {
    int64_t start_us = 0;
    int64_t end_us = 0;
  };
  // Of one part of one process.
  using Intervals = std::vector<Interval>;

  Part PartOf(NameId phase);
  // Sorts them, and joins those that overlap or touch.
  static void Unite(Intervals* intervals);
  // How much of `outer` they cover, in microseconds.
  static int64_t Within(const Intervals& united, const Interval& outer);

  const Names* const names_;
  std::vector<uint8_t> part_of_phase_;  // By NameId; 0: not looked at yet, else the part plus one.
  std::map<std::pair<NameId, Part>, Intervals> parts_;  // By node.
  std::vector<StepBreakdown> steps_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_STEP_BREAKDOWN_H_
