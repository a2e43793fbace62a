#include "warden/sagemaker/metrics/metric_series.h"

#include <chrono>

namespace warden::sagemaker {
namespace {

// The begin of the period that a second is in; also before 1970.
int64_t BeginOf(int64_t second, int64_t width) {
  const int64_t rest = second % width;
  return second - (rest < 0 ? rest + width : rest);
}

}  // namespace

void MetricPeriod::Add(const MetricPeriod& other) {
  min = count == 0 ? other.min : std::min(min, other.min);
  max = count == 0 ? other.max : std::max(max, other.max);
  sum += other.sum;
  count += other.count;
}

void MetricSeries::Add(Time time, double value) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  periods_[BeginOf(second, width_)].Add({value, value, value, 1});
  if (time >= last_time_) {
    last_time_ = time;
    last_ = value;
  }
  if (periods_.size() <= kMostPeriods) return;
  width_ *= 2;
  std::map<int64_t, MetricPeriod> longer;
  for (const auto& [begin, period] : periods_) longer[BeginOf(begin, width_)].Add(period);
  periods_ = std::move(longer);
}

std::map<int64_t, MetricPeriod> MetricSeries::Over(int64_t start, int64_t end,
                                                   int64_t period) const {
  std::map<int64_t, MetricPeriod> found;
  const auto last = periods_.lower_bound(end);
  for (auto at = periods_.lower_bound(start); at != last; ++at) {
    found[BeginOf(at->first, period)].Add(at->second);
  }
  return found;
}

}  // namespace warden::sagemaker
