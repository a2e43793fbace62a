#include "warden/rules/profiler/point_window.h"

#include <algorithm>
#include <cmath>

namespace warden::rules {

void PointWindow::Add(double value) {
  if (!std::isfinite(value)) return;
  ++seen_;
  if (values_.size() < window_) {
    values_.push_back(value);
  } else {
    sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), values_[oldest_]));
    values_[oldest_] = value;
    oldest_ = (oldest_ + 1) % window_;
  }
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), value), value);
}

std::vector<double> PointWindow::Last(size_t count) const {
  std::vector<double> last;
  last.reserve(count);
  for (size_t i = values_.size() - count; i < values_.size(); ++i) {
    last.push_back(values_[(oldest_ + i) % values_.size()]);
  }
  std::sort(last.begin(), last.end());
  return last;
}

PointWindow::Quantile PointWindow::At(double q) const {
  const double whole = Whole(q);
  const auto counted = static_cast<size_t>(std::min<int64_t>(kept(), size()));
  return {whole, counted == values_.size() ? whole : QuantileOf(Last(counted), q)};
}

}  // namespace warden::rules
