#ifndef WARDEN_RULES_PROFILER_POINT_WINDOW_H_
#define WARDEN_RULES_PROFILER_POINT_WINDOW_H_

#include <cstdint>
#include <vector>

#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {

// The last points of a series whose first ones, of the patience, do not count. Used by BatchSize
// and LowGPUUtilization, one for each device and metric.
//
// When the patience is over there are too few points at first to say anything: a single one below
// 70 % has a p95 below 70 %. Something then holds only if it does for the whole window, points of
// the patience included, and for those that count alone. 8 bytes for each point, twice. For one
// thread.
class PointWindow {
 public:
  // window: how many points are kept, at least 1. patience: how many are ignored at first, 0 or
  // more.
  PointWindow(int64_t window, int64_t patience)
      : window_(static_cast<size_t>(window)), patience_(patience) {}

  // Adds a point, in time proportional to the window.
  void Add(double value);  // One that is not finite is ignored.

  int64_t seen() const { return seen_; }  // All points, those of the patience included.
  // Points that count, since the beginning; may be more than the window holds.
  int64_t kept() const { return seen_ > patience_ ? seen_ - patience_ : 0; }
  bool enough() const { return seen_ > patience_; }  // At least one point counts.

  // A quantile of the window, and of the points in it that count.
  struct Quantile {
    double whole = 0;    // Of the window, ...
    double counted = 0;  // ... and of the points in it that count; mostly the same.

    bool Below(double limit) const { return whole < limit && counted < limit; }
    bool Above(double limit) const { return whole > limit && counted > limit; }
  };
  // REQUIRES: enough(); q from 0 to 1. Constant time when all points of the window count; sorts
  // them otherwise.
  Quantile At(double q) const;
  // The quantile of the window, however short. REQUIRES: seen() > 0.
  double Whole(double q) const { return QuantileOf(sorted_, q); }
  // How many points are in the window.
  int64_t size() const { return std::ssize(values_); }

 private:
  // The last `count` points in ascending order.
  std::vector<double> Last(size_t count) const;

  size_t window_;
  int64_t patience_;
  int64_t seen_ = 0;
  std::vector<double> values_;  // Once full, a ring.
  size_t oldest_ = 0;
  std::vector<double> sorted_;  // The same: asked more often than the window is long.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_POINT_WINDOW_H_
