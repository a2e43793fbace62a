#ifndef WARDEN_RULES_PROFILER_STEP_SERIES_H_
#define WARDEN_RULES_PROFILER_STEP_SERIES_H_

// Durations of steps, for the rule StepOutlier.

#include <cstdint>
#include <utility>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {

// One step of one process. From a span of the timeline whose phase is a step; workers that run the
// same step have one each.
struct TimedStep {
  Step step = -1;        // In its mode; -1: not said.
  int64_t start_us = 0;  // Since 1970.
  int64_t duration_us = 0;

  double seconds() const { return static_cast<double>(duration_us) / 1e6; }
};

// How long the steps of one process in one mode took. For one thread. 24 bytes for each step that
// is kept, so at most 24 MB for each process and mode. Adding takes constant time; mean and
// deviation are updated without a second pass (Welford).
class StepSeries {
 public:
  // Of a longer run the older half is dropped; count, mean and deviation are of all steps.
  static constexpr size_t kMost = 1'000'000;

  // In any order; charts show the order of calls.
  void Add(const TimedStep& step);

  bool empty() const { return count_ == 0; }
  int64_t count() const { return count_; }

  // Mean and deviation of the population, in seconds; 0 without steps.
  double mean() const { return mean_; }
  double Deviation() const;
  const Distribution& seconds() const { return seconds_; }

  // How many took longer than mean + factor * deviation, of the steps that are kept. Does not look
  // at all of them each time: until there are one percent more steps, those that were counted are
  // taken as before. REQUIRES: factor is the same in all calls. For the evaluation once a second: a
  // run of a million steps would otherwise be read a million times.
  int64_t CountOutliers(double factor);
  // The same exactly, in the order in which they were added. Reads all steps that are kept: for
  // reports.
  std::vector<TimedStep> Outliers(double factor) const;

  // At most `most` steps for a chart: the longest of each stretch of consecutive steps. REQUIRES:
  // most > 0.
  std::vector<TimedStep> Longest(size_t most) const;

 private:
  std::vector<TimedStep> steps_;  // At most kMost.
  Distribution seconds_;
  int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // Sum of the squared distances from the mean.

  size_t counted_ = 0;    // Steps of steps_ that are in outliers_.
  int64_t outliers_ = 0;  // Of the first counted_ steps.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_STEP_SERIES_H_
