#ifndef WARDEN_VIEW_METRICS_LEVELS_H_
#define WARDEN_VIEW_METRICS_LEVELS_H_

// The samples of one metric in levels of detail: level 0 has the samples, each entry of level n + 1
// summarizes 16 entries of level n. So any range is summarized in a few steps, and old detail can
// be dropped while its summaries stay. Used by NodeTable.
//
//   MetricLevels levels(0, {});
//   levels.Append(12.5f);
//   const MetricStretch all = levels.Range(0, levels.size());

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace warden::view {

// Every level has one entry for this many of the level below.
inline constexpr size_t kMetricFanOut = 16;
// More would stand for longer than any run lasts: 16^7 samples, ten times a second, are a year.
inline constexpr size_t kMetricLevelsAtMost = 8;

// How many samples an entry of a level stands for: 1, 16, 256, ...
constexpr size_t MetricSamplesAt(size_t level) {
  size_t samples = 1;
  for (size_t i = 0; i < level; ++i) samples *= kMetricFanOut;
  return samples;
}

// In place of a sample that was not measured: NaN.
inline constexpr float kNotMeasured = std::numeric_limits<float>::quiet_NaN();

// What some samples have in common. What was not measured (NaN) is not counted.
struct MetricStretch {
  // Infinite while nothing was measured: use least() and most().
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  float sum = 0;
  uint32_t count = 0;  // Samples that were measured.

  // Adds a sample, or the samples of another stretch.
  void Add(float value);
  void Add(const MetricStretch& other);
  // Mean, minimum and maximum; NaN where nothing was measured.
  float mean() const;  // Never outside of least() and most().
  float least() const;
  float most() const;
};

// The samples of one metric of a node, and their summaries, level by level. All columns of a node
// have the same length; positions count from the first sample ever, even where it has been dropped.
// Not safe for threads.
class MetricLevels {
 public:
  // As long as the other columns of the node, without a value: for a metric that comes later.
  // first: what those have dropped, by level.
  MetricLevels(size_t size, const std::vector<size_t>& first);

  // Adds a sample, or kNotMeasured, in amortized constant time.
  void Append(float value);

  size_t size() const { return size_; }
  // Memory of what is kept, for budgets.
  size_t bytes() const;
  // How many entries of a level are kept; 0 for a level that does not exist yet.
  size_t Kept(size_t level) const;

  // Drops the oldest entries of a level, so that `first` is the first that is kept. REQUIRES: first
  // is a multiple of kMetricFanOut, and what is dropped is in the level above.
  void GiveUp(size_t level, size_t first);

  // The value of a sample; the mean of the shortest stretch around it where it was dropped.
  // REQUIRES: i < size().
  float At(size_t i) const;
  // Summary of the samples [from, to), in a few steps. Where their detail was dropped, of the
  // shortest stretches that contain all of them. REQUIRES: to <= size().
  MetricStretch Range(size_t from, size_t to) const;

 private:
  struct Level {
    size_t first = 0;
    std::deque<MetricStretch> kept;

    size_t end() const { return first + kept.size(); }
  };

  // Whether entry i of the level is kept: FirstOf is the first that is.
  bool Has(size_t level, size_t i) const { return i >= FirstOf(level); }
  size_t FirstOf(size_t level) const { return level == 0 ? first_ : upper_[level - 1].first; }
  // REQUIRES: Has(level, i).
  void AddEntry(size_t level, size_t i, MetricStretch* stretch) const;
  // The next entry of the level has all that it stands for: adds it, and closes levels above in
  // turn.
  void Close(size_t level);

  size_t size_ = 0;
  size_t first_ = 0;  // Of values_.
  std::deque<float> values_;
  std::vector<Level> upper_;  // [0] is level 1; only as many as have an entry.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_LEVELS_H_
