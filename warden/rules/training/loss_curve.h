#ifndef WARDEN_RULES_TRAINING_LOSS_CURVE_H_
#define WARDEN_RULES_TRAINING_LOSS_CURVE_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "warden/rules/running_window.h"

namespace warden::rules {

// The course of one training loss, by medians, so that noise and single batches do not matter. What
// it keeps does not grow with the number of steps.
class LossCurve {
 public:
  // REQUIRES: value is finite.
  void Add(double value);

  int64_t count() const { return count_; }
  // The very first loss.
  double initial() const { return initial_; }
  // Where it started: the median of the first losses.
  double first() const { return first_; }
  // Where it is: the median of the last losses.
  double recent() const { return recent_; }
  // The lowest that recent() has been.
  double lowest() const { return lowest_; }
  double last() const { return last_; }
  // The highest of the first 20 losses.
  double early_peak() const { return early_peak_; }
  // How noisy it is: the robust deviation of the last losses.
  double noise() const { return noise_; }
  // Losses since recent() was last lower, by more than a hundredth, than ever before.
  int64_t since_progress() const { return count_ - progress_at_; }

  // Share by which the best level is lower than initial() and first(); negative if it never was. 0
  // before there are enough losses.
  double fallen() const;

 private:
  int64_t count_ = 0;
  double initial_ = 0;
  double first_ = 0;
  double recent_ = 0;
  double lowest_ = 0;
  double last_ = 0;
  double early_peak_ = -std::numeric_limits<double>::infinity();
  double noise_ = 0;
  double progress_level_ = 0;
  int64_t progress_at_ = 0;
  RunningWindow first_window_;
  RunningWindow window_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_TRAINING_LOSS_CURVE_H_
