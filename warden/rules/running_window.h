#ifndef WARDEN_RULES_RUNNING_WINDOW_H_
#define WARDEN_RULES_RUNNING_WINDOW_H_

#include <cstdint>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/param.h"

namespace warden::rules {

// The last few of a series of numbers, and what is usual among them.
class RunningWindow {
 public:
  // REQUIRES: finite.
  void Add(double value, size_t capacity);
  int64_t size() const { return std::ssize(values_); }

  // Of an even number the mean of the two in the middle. REQUIRES: not empty.
  double Median() const;
  // The deviation of a normal distribution with this median of absolute distances from `median`:
  // unlike the standard deviation a few outliers do not move it.
  double RobustDeviation(double median) const;

 private:
  std::vector<double> values_;  // Once full, a ring.
  size_t oldest_ = 0;
};

// Of a rule that has the parameters window and min_steps. kInvalid if they do not go together.
Status CheckWindow(const Params& params);

}  // namespace warden::rules

#endif  // WARDEN_RULES_RUNNING_WINDOW_H_
