#include "warden/rules/profiler/step_series.h"

#include <algorithm>
#include <cmath>

namespace warden::rules {
namespace {

constexpr size_t kFewSteps = 2'000;  // All are looked at each time.

}  // namespace

void StepSeries::Add(const TimedStep& step) {
  steps_.push_back(step);
  if (steps_.size() > kMost) {
    steps_.erase(steps_.begin(), steps_.begin() + kMost / 2);
    counted_ = 0;
  }
  const double seconds = step.seconds();
  seconds_.Add(seconds);
  ++count_;
  const double off = seconds - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (seconds - mean_);
}

double StepSeries::Deviation() const {
  return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
}

int64_t StepSeries::CountOutliers(double factor) {
  const double limit = mean_ + factor * Deviation();
  const bool recounted =
      steps_.size() < kFewSteps || counted_ == 0 || steps_.size() > counted_ + counted_ / 100;
  const size_t from = recounted ? 0 : counted_;
  const auto fresh = std::count_if(steps_.begin() + static_cast<ptrdiff_t>(from), steps_.end(),
                                   [&](const TimedStep& step) { return step.seconds() > limit; });
  if (!recounted) return outliers_ + fresh;
  counted_ = steps_.size();
  outliers_ = fresh;
  return outliers_;
}

std::vector<TimedStep> StepSeries::Outliers(double factor) const {
  const double limit = mean_ + factor * Deviation();
  std::vector<TimedStep> outliers;
  std::copy_if(steps_.begin(), steps_.end(), std::back_inserter(outliers),
               [&](const TimedStep& step) { return step.seconds() > limit; });
  return outliers;
}

std::vector<TimedStep> StepSeries::Longest(size_t most) const {
  std::vector<TimedStep> longest;
  const size_t stretch = (steps_.size() + most - 1) / most;
  for (size_t i = 0; i < steps_.size(); i += stretch) {
    const auto begin = steps_.begin() + static_cast<ptrdiff_t>(i);
    const auto end = steps_.begin() + static_cast<ptrdiff_t>(std::min(i + stretch, steps_.size()));
    longest.push_back(*std::max_element(begin, end, [](const TimedStep& a, const TimedStep& b) {
      return a.duration_us < b.duration_us;
    }));
  }
  return longest;
}

}  // namespace warden::rules
