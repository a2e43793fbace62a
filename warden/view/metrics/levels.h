#ifndef WARDEN_VIEW_METRICS_LEVELS_H_
#define WARDEN_VIEW_METRICS_LEVELS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace warden::view {

// Every level has one entry for so many of the level below.
inline constexpr size_t kMetricFanOut = 16;
// More would stand for longer than any run lasts: 16^7 samples, ten times a second, are a year.
inline constexpr size_t kMetricLevelsAtMost = 8;

// How many samples an entry of a level stands for.
constexpr size_t MetricSamplesAt(size_t level) {
  size_t samples = 1;
  for (size_t i = 0; i < level; ++i) samples *= kMetricFanOut;
  return samples;
}

// What stands for a sample that was not measured.
inline constexpr float kNotMeasured = std::numeric_limits<float>::quiet_NaN();

// What some samples have in common. What was not measured (NaN) is not counted.
struct MetricStretch {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  float sum = 0;
  uint32_t count = 0;

  void Add(float value);
  void Add(const MetricStretch& other);
  float mean() const;  // NaN where nothing was measured, and so are the following.
  float least() const;
  float most() const;
};

// The samples of one metric of a node, and their stretches, level by level. All columns of a node
// are as long as each other; what is told of positions counts from the first sample ever, also
// where it has been given up.
class MetricLevels {
 public:
  // As long as other columns of the node are, without a value: of a metric that comes later.
  // first: what those have given up, by level.
  MetricLevels(size_t size, const std::vector<size_t>& first);

  void Append(float value);

  size_t size() const { return size_; }
  size_t bytes() const;
  // How many entries of a level are kept.
  size_t Kept(size_t level) const;

  // Gives up the oldest entries of a level, so that `first` is the first that is kept: a multiple
  // of kMetricFanOut, all of which are in the level above.
  void GiveUp(size_t level, size_t first);

  // The value of a sample; the mean of the shortest stretch around it where it was given up.
  float At(size_t i) const;
  // Of the samples [from, to), in a few steps. Where their detail was given up, of the shortest
  // stretches that have all of them. REQUIRES: to <= size().
  MetricStretch Range(size_t from, size_t to) const;

 private:
  struct Level {
    size_t first = 0;
    std::deque<MetricStretch> kept;

    size_t end() const { return first + kept.size(); }
  };

  bool Has(size_t level, size_t i) const { return i >= FirstOf(level); }
  size_t FirstOf(size_t level) const { return level == 0 ? first_ : upper_[level - 1].first; }
  void AddEntry(size_t level, size_t i, MetricStretch* stretch) const;
  void Close(size_t level);

  size_t size_ = 0;
  size_t first_ = 0;  // Of values_.
  std::deque<float> values_;
  std::vector<Level> upper_;  // [0] is level 1; only as many as have an entry.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_LEVELS_H_
