#ifndef WARDEN_RULES_PROFILER_STEP_SERIES_H_
#define WARDEN_RULES_PROFILER_STEP_SERIES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/profiler/distribution.h"

namespace warden::rules {

struct TimedStep {
  Step step = -1;  // In its mode; -1: not said.
  int64_t start_us = 0;
  int64_t duration_us = 0;

  double seconds() const { return static_cast<double>(duration_us) / 1e6; }
};

// How long the steps of one process in one mode took.
class StepSeries {
 public:
  // Of a longer run the older half is forgotten; mean and deviation are of all steps.
  static constexpr size_t kMost = 1'000'000;

  void Add(const TimedStep& step);

  bool empty() const { return count_ == 0; }
  int64_t count() const { return count_; }

  // Of the population, in seconds.
  double mean() const { return mean_; }
  double Deviation() const;
  const Distribution& seconds() const { return seconds_; }

  // How many took longer than mean + factor * deviation. Does not look at all of them each time:
  // within one per cent of new steps it takes those for what they were.
  int64_t CountOutliers(double factor);
  // Exactly, of those that are still known.
  std::vector<TimedStep> Outliers(double factor) const;

  // At most `most` steps, the longest of each stretch.
  std::vector<TimedStep> Longest(size_t most) const;

 private:
  std::vector<TimedStep> steps_;
  Distribution seconds_;
  int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // Sum of the squared distances from the mean.

  size_t counted_ = 0;  // Steps of steps_ that are in outliers_.
  int64_t outliers_ = 0;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_STEP_SERIES_H_
