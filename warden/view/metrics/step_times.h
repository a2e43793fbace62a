#ifndef WARDEN_VIEW_METRICS_STEP_TIMES_H_
#define WARDEN_VIEW_METRICS_STEP_TIMES_H_

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
  Step step = -1;  // In its mode; -1: not said.
  std::string mode;
  std::string node;    // Host and process.
  double time = 0;     // When it began, in seconds since 1970.
  double seconds = 0;  // How long it took.
  double usual = 0;    // The median of the others.
};

// When the steps of a run were, by process and mode.
class StepTimes {
 public:
  // Of any span; those that are no steps are passed over.
  void Add(const timeline::Span& span, const timeline::Names& names);

  bool empty() const { return steps_.empty(); }
  // From the beginning of the first step to the end of the last.
  std::optional<TimeWindow> loop() const;
  // Steps beyond mean + 3 deviations, of those in the window; at most `most`, the longest, by time.
  std::vector<SlowStep> Slow(const TimeWindow& window, size_t most) const;
  // When a step began; nothing if it is not on record or if that cannot be told: steps of several
  // modes are counted together elsewhere.
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
