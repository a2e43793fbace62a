#ifndef WARDEN_VIEW_METRICS_STEP_TIMES_H_
#define WARDEN_VIEW_METRICS_STEP_TIMES_H_

// When the steps of a run were, by the timelines of its hooks, so that the dashboard can mark them
// in charts of metrics.

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
// safe for threads; RunMetrics guards it.
class StepTimes {
 public:
  // Any span; those that are not steps, or whose times cannot be right, are ignored.
  void Add(const timeline::Span& span, const timeline::Names& names);

  bool empty() const { return steps_.empty(); }
  // From the beginning of the first step to the end of the last; nothing without steps.
  std::optional<TimeWindow> loop() const;
  // Steps longer than mean + 3 standard deviations of their process and mode that overlap the
  // window; at most `most`, the longest, by time. Looks at all steps.
  std::vector<SlowStep> Slow(const TimeWindow& window, size_t most) const;
  // When a step began, in seconds since 1970; nothing if it is not on record, or if the run has
  // steps of several modes: their timelines count within the mode, so the global step is unknown.
  std::optional<double> TimeOf(Step global_step) const;

 private:
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
