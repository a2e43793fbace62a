#ifndef WARDEN_RULES_RUNNING_WINDOW_H_
#define WARDEN_RULES_RUNNING_WINDOW_H_

// A window over recent values, from which rules learn what is usual: LossSpike keeps one for each
// loss, GradientNormSpike one for each worker and mode.

#include <cstdint>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/param.h"

namespace warden::rules {

// The last values of a series, and what is usual among them. Medians take O(capacity) time on each
// call. Memory is `capacity` numbers.
class RunningWindow {
 public:
  // Adds a value; once there are `capacity` of them it replaces the oldest. REQUIRES: value is
  // finite; capacity > 0 and the same in each call.
  void Add(double value, size_t capacity);
  int64_t size() const { return std::ssize(values_); }

  // Of an even number the mean of the two in the middle. REQUIRES: not empty.
  double Median() const;
  // REQUIRES: not empty.
  double Mean() const;
  // The deviation of a normal distribution with this median of absolute distances from `median`:
  // unlike the standard deviation, a few outliers do not move it. 0 if more than half of the values
  // are equal to `median`. REQUIRES: not empty.
  double RobustDeviation(double median) const;

 private:
  std::vector<double> values_;  // Once full, a ring.
  size_t oldest_ = 0;
};

// For rules that have the parameters window and min_steps: kInvalid if min_steps is larger than
// window, so that it could never be reached.
Status CheckWindow(const Params& params);

}  // namespace warden::rules

#endif  // WARDEN_RULES_RUNNING_WINDOW_H_
