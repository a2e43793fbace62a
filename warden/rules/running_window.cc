#include "warden/rules/running_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warden::rules {
namespace {

constexpr double kDeviationOfMad = 1.4826;

double MedianOf(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace

void RunningWindow::Add(double value, size_t capacity) {
  if (values_.size() < capacity) {
    values_.push_back(value);
    return;
  }
  values_[oldest_] = value;
  oldest_ = (oldest_ + 1) % values_.size();
}

double RunningWindow::Median() const { return MedianOf(values_); }

double RunningWindow::Mean() const {
  return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
}

double RunningWindow::RobustDeviation(double median) const {
  std::vector<double> distances;
  distances.reserve(values_.size());
  for (const double value : values_) distances.push_back(std::abs(value - median));
  return kDeviationOfMad * MedianOf(std::move(distances));
}

Status CheckWindow(const Params& params) {
  const int64_t window = params.Integer("window");
  const int64_t min_steps = params.Integer("min_steps");
  if (min_steps <= window) return Status();
  return params.Refuse(
      fmt::format("min_steps is {}; expected at most window ({})", min_steps, window));
}

}  // namespace warden::rules
