#include "warden/rules/training/loss_curve.h"

#include <algorithm>
#include <cmath>

namespace warden::rules {
namespace {

constexpr int64_t kFirst = 8;
constexpr int64_t kEarly = 20;
constexpr size_t kRecent = 20;
constexpr double kProgress = 0.01;

}  // namespace

void LossCurve::Add(double value) {
  if (count_++ == 0) initial_ = value;
  last_ = value;
  if (count_ <= kEarly) early_peak_ = std::max(early_peak_, value);
  if (count_ <= kFirst) {
    first_window_.Add(value, kFirst);
    first_ = first_window_.Median();
  }
  window_.Add(value, kRecent);
  recent_ = window_.Median();
  noise_ = window_.RobustDeviation(recent_);
  if (count_ <= kFirst) {
    lowest_ = progress_level_ = recent_;
    progress_at_ = count_;
    return;
  }
  lowest_ = std::min(lowest_, recent_);
  if (progress_level_ - recent_ > kProgress * std::abs(progress_level_)) {
    progress_level_ = recent_;
    progress_at_ = count_;
  }
}

double LossCurve::fallen() const {
  const double start = std::min(first_, initial_);
  if (count_ <= kFirst || start == 0) return 0;
  return (start - lowest_) / std::abs(start);
}

}  // namespace warden::rules
