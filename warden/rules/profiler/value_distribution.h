#ifndef WARDEN_RULES_PROFILER_VALUE_DISTRIBUTION_H_
#define WARDEN_RULES_PROFILER_VALUE_DISTRIBUTION_H_

// Quantiles, histograms and boxes over all values of a run, in bounded memory, for the report. Used
// by the profiler rules and by the dashboard's profile.
//
//   Distribution seconds;
//   for (double one : durations) seconds.Add(one);
//   if (!seconds.empty()) Use(seconds.Quantile(0.95));

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::rules {

// The quantile of values in ascending order, by linear interpolation as in NumPy. REQUIRES: not
// empty, q from 0 to 1.
double QuantileOf(std::span<const double> sorted, double q);

// How the values of a whole run are spread. Quantiles are exact up to kMostKept values; of a longer
// run every second, fourth, ... value is kept, so that no part of it weighs more than another.
// Count, mean and extremes are always exact. For one thread: const methods sort too.
class Distribution {
 public:
  static constexpr size_t kMostKept = 200'000;

  // Adds a value in amortized constant time.
  void Add(double value);  // One that is not finite is ignored.

  int64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }

  // REQUIRES for these: not empty.
  double min() const { return min_; }
  double max() const { return max_; }
  double mean() const { return sum_ / static_cast<double>(count_); }
  // q from 0 (the minimum) to 1 (the maximum). Sorts what was added since the last call.
  double Quantile(double q) const;
  // The kept values in ascending order; valid until the next Add().
  std::span<const double> Sorted() const;

 private:
  void Settle() const;
  void KeepEverySecond();

  int64_t count_ = 0;
  double sum_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  int64_t stride_ = 1;                  // Of so many values one is kept.
  mutable std::vector<double> sorted_;  // Values come in at the end of recent_ and are
  mutable std::vector<double> recent_;  // sorted in when somebody asks.
};

// Shares of bins of equal width from the smallest to the largest value, the last one closed, as
// numpy.histogram has them: a single value lies in the middle of a range of width 1.
struct Histogram {
  std::vector<double> shares;  // Sum up to 1.
  std::vector<double> edges;   // One more.
};
// Of the kept values. REQUIRES: not empty, bins > 0.
Histogram HistogramOf(const Distribution& distribution, int bins);
// Bins of histograms of durations in reports.
inline constexpr int kHistogramBins = 100;

// A number with six decimals, or null if it is not finite: JSON has no other way to say it.
Json Rounded(double value);
// {"p25", "p50", "p75", "p95", "upper", "lower"}: the box and the whiskers of a box plot; {} if
// there are no values.
Json BoxOf(const Distribution& distribution);

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_VALUE_DISTRIBUTION_H_
