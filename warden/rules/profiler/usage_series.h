#ifndef WARDEN_RULES_PROFILER_USAGE_SERIES_H_
#define WARDEN_RULES_PROFILER_USAGE_SERIES_H_

// Charts of utilization over a run of any length, in a fixed number of points: for the report of
// OverallSystemUsage. A node has one clock and several series, which are halved together.
//
//   int doubled = 0;
//   const int64_t stretch = clock.Place(sample.time_s, &doubled);
//   for (int i = 0; i < doubled; ++i) series.Double();
//   if (stretch >= 0) series.Add(stretch, sample.cpu);

#include <cstdint>
#include <limits>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::rules {

// The times that the series of a node have in common: at most 600 stretches of equal length, which
// become twice as long whenever the run outgrows them.
class SeriesClock {
 public:
  static constexpr size_t kMostStretches = 600;

  // The stretch of a sample, or -1 if it cannot be placed: before the first sample, or not a time.
  // *doubled: how many times the stretches became longer for it; the caller calls Double() that
  // often on each series.
  int64_t Place(double time_s, int* doubled);

  double start_s() const { return start_s_; }        // Of the first stretch, since 1970.
  double interval_s() const { return interval_s_; }  // Length of a stretch.
  // How often the series are to be halved for a chart, so that most stretches have a sample.
  int Coarser() const;

 private:
  double start_s_ = 0;
  double last_s_ = 0;
  double interval_s_ = 0.125;
  int64_t samples_ = 0;
};

// Smallest, mean and largest value in each stretch of a SeriesClock. A value: can be copied.
class UsageSeries {
 public:
  // What is not finite is ignored. REQUIRES: stretch >= 0.
  void Add(int64_t stretch, double value);
  // Unites each two neighboring stretches.
  void Double();  // See SeriesClock::Place.

  // Sets *json to {"min", "mean", "max"}, or {"mean"} alone: lists of `length` numbers, null where
  // nothing was measured. length: that of the longest series of the node.
  void AppendTo(size_t length, bool only_mean, Json* json) const;
  size_t size() const { return stretches_.size(); }

 private:
  struct Stretch {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double sum = 0;
    int64_t count = 0;
  };
  std::vector<Stretch> stretches_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_USAGE_SERIES_H_
