#ifndef WARDEN_SAGEMAKER_METRICS_METRIC_SERIES_H_
#define WARDEN_SAGEMAKER_METRICS_METRIC_SERIES_H_

// One metric of a job over time, in bounded memory: as CloudWatch keeps it, statistics of periods
// and not single values.

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "warden/base/time.h"

namespace warden::sagemaker {

// The values of a period.
struct MetricPeriod {
  double sum = 0, min = 0, max = 0;
  int64_t count = 0;

  void Add(const MetricPeriod& other);
};

// The values of one metric. Periods are a second long; of long jobs longer ones are kept, so that
// there are never more than some thousands. A plain value.
class MetricSeries {
 public:
  static constexpr size_t kMostPeriods = 4096;

  // In any order of times. The last one added of the latest time is the final value.
  void Add(Time time, double value);

  double last() const { return last_; }
  Time last_time() const { return last_time_; }

  // Statistics of periods of so many seconds that begin in [start, end), by their begin in seconds
  // since 1970. A period contains all that begins in it: shorter ones than are kept stay empty.
  std::map<int64_t, MetricPeriod> Over(int64_t start, int64_t end, int64_t period) const;

 private:
  int64_t width_ = 1;                        // Of a period, in seconds.
  std::map<int64_t, MetricPeriod> periods_;  // By their begin.
  double last_ = 0;
  Time last_time_{};
};

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_METRICS_METRIC_SERIES_H_
