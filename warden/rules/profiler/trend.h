#ifndef WARDEN_RULES_PROFILER_TREND_H_
#define WARDEN_RULES_PROFILER_TREND_H_

// A test for slow, steady growth. Memory usage goes up and down all the time, so comparing two
// points would find leaks where there are none; this asks for a rise that is beyond chance and that
// lasts from the beginning to the end.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warden::rules {

// Whether a series rises steadily from its beginning to its end: how GPUMemoryIncrease recognizes a
// leak. Keeps the means of at most 64 stretches of equal length, since points that follow each
// other are too similar to count as independent evidence. Constant memory. For one thread.
class Trend {
 public:
  // Times in seconds since 1970, usually; any order works, but stretches are made of consecutive
  // calls. When 64 stretches are full they are merged into 32, twice as long.
  void Add(double time_s, double value);  // What is not finite is ignored.

  // A line through the series by least squares. A leak is steady and has surely > 0: the caller
  // compares surely * length_s with what matters to it.
  struct Line {
    double slope = 0;     // Per second, in the unit of the values.
    double surely = 0;    // The slope is at least this, with 99 % confidence.
    double length_s = 0;  // From the first to the last stretch.
    // Every quarter of it rises at least a quarter as fast as the whole. A jump, or a rise that has
    // come to its end, is not steady.
    bool steady = false;
  };
  // Nothing while there are fewer than 32 stretches, or if all have the same time. Costs the same
  // whatever the length of the series. The stretch that is not full yet is left out.
  std::optional<Line> Fit() const;

 private:
  struct Stretch {
    double time_s = 0;  // Sums, then means.
    double value = 0;
  };

  static std::optional<Line> FitTo(std::span<const Stretch> stretches);

  std::vector<Stretch> full_;  // Means.
  Stretch open_;               // Sums.
  int64_t in_open_ = 0;
  int64_t in_each_ = 1;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_TREND_H_
