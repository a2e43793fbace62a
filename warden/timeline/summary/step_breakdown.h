#ifndef WARDEN_TIMELINE_SUMMARY_STEP_BREAKDOWN_H_
#define WARDEN_TIMELINE_SUMMARY_STEP_BREAKDOWN_H_

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
// none of them is `other`.
struct StepShares {
  double forward = 0;
  double backward = 0;
  double optimizer = 0;
  double data_loading = 0;
  double other = 0;
};

struct StepBreakdown {
  NameId phase = 0;  // "Step:ModeKeys.TRAIN".
  NameId node = 0;
  int64_t step = -1;  // In its mode; -1: not said.
  int64_t start_us = 0;
  int64_t duration_us = 0;
  StepShares us;
};

// "TRAIN" of the phase "Step:ModeKeys.TRAIN"; nothing of a phase that is no step.
std::optional<std::string_view> ModeOfStepPhase(std::string_view phase);

// Is given spans in any order, keeps those that matter for steps, and tells of each step what the
// same process did in it.
class StepBreakdowns {
 public:
  explicit StepBreakdowns(const Names* names) : names_(names) {}

  void Add(const Span& span);
  // All steps, by time. To be called once.
  std::vector<StepBreakdown> Finish();

 private:
  enum Part : uint8_t { kForward, kBackward, kOptimizer, kDataLoading, kParts, kStep, kNone };
  struct Interval {
    int64_t start_us = 0;
    int64_t end_us = 0;
  };
  using Intervals = std::vector<Interval>;

  Part PartOf(NameId phase);
  static void Unite(Intervals* intervals);
  static int64_t Within(const Intervals& united, const Interval& outer);

  const Names* const names_;
  std::vector<uint8_t> part_of_phase_;  // By NameId; 0: not looked at yet, else the part plus one.
  std::map<std::pair<NameId, Part>, Intervals> parts_;  // By node.
  std::vector<StepBreakdown> steps_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_STEP_BREAKDOWN_H_
