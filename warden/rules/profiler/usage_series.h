#ifndef WARDEN_RULES_PROFILER_USAGE_SERIES_H_
#define WARDEN_RULES_PROFILER_USAGE_SERIES_H_

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

  // The stretch of a sample, or -1 if it cannot be placed. *doubled: how many times the stretches
  // became longer for it.
  int64_t Place(double time_s, int* doubled);

  double start_s() const { return start_s_; }
  double interval_s() const { return interval_s_; }
  // In how many steps of two the stretches are to be told, so that most of them have a sample.
  int Coarser() const;

 private:
  double start_s_ = 0;
  double last_s_ = 0;
  double interval_s_ = 0.125;
  int64_t samples_ = 0;
};

// Smallest, mean and largest value in each stretch of a SeriesClock.
class UsageSeries {
 public:
  // What is not finite is passed over.
  void Add(int64_t stretch, double value);
  void Double();  // Two stretches become one.

  // Lists as long as the longest series of the node, null where nothing was measured.
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
