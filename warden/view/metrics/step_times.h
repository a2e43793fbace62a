#ifndef WARDEN_VIEW_METRICS_STEP_TIMES_H_
#define WARDEN_VIEW_METRICS_STEP_TIMES_H_

// When the steps of a run were, by the timelines of its hooks, so that the dashboard can mark them
// in charts of metrics: the training loop, slow steps, and the moment of a finding.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/types.h"
#include "warden/timeline/names.h"
#include "warden/timeline/span.h"
#include "warden/view/metrics/queries.h"

namespace warden::view {

// A step that took much longer than others.
struct SlowStep {
  Step step = -1;      // In its mode; -1: not said.
  std::string mode;    // "TRAIN", ...
  std::string node;    // Host and process.
  double time = 0;     // When it began, in seconds since 1970.
  double seconds = 0;  // How long it took.
  double usual = 0;    // The median of its process and mode.
};

// When the steps of a run were, by process and mode. Keeps at most a million steps of each. Not
// safe for threads; RunMetrics guards it. At most 1024 processes and modes; what comes after is
// ignored. Of more than a million steps of one of them the older half is dropped.
class StepTimes {
 public:
  // Any span; those that are not steps, or whose times cannot be right, are ignored. "Cannot be
  // right": before 1970, negative, or longer than 285 years.
  void Add(const timeline::Span& span, const timeline::Names& names);

  bool empty() const { return steps_.empty(); }
  // From the beginning of the first step to the end of the last; nothing without steps.
  std::optional<TimeWindow> loop() const;
  // Steps longer than mean + 3 standard deviations of their process and mode that overlap the
  // window; at most `most`, the longest, by time. Looks at all steps.
  std::vector<SlowStep> Slow(const TimeWindow& window, size_t most) const;
  // When a step began, in seconds since 1970; nothing if it is not on record, or if the run has
  // steps of several modes: their timelines count within the mode, so the global step is unknown.
  // Of several processes, the first one by name that has the step. REQUIRES that the steps of a
  // process were added in their order, as its timeline has them.
  std::optional<double> TimeOf(Step global_step) const;

 private:
  // 24 bytes. The mode and node are those of its series.
  struct Timed {
    Step step = -1;
    int64_t start_us = 0;
    int64_t duration_us = 0;
  };
  using Key = std::pair<std::string, std::string>;  // Mode and node.

  std::map<Key, std::vector<Timed>> steps_;
  int64_t first_us_ = 0;
  int64_t last_us_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_STEP_TIMES_H_
