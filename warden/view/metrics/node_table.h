#ifndef WARDEN_VIEW_METRICS_NODE_TABLE_H_
#define WARDEN_VIEW_METRICS_NODE_TABLE_H_

// All metrics of one machine, in levels of detail. MetricsReader fills tables, RunMetrics owns and
// guards them, queries.h reads them.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/format/metric_line.h"
#include "warden/view/metrics/levels.h"
#include "warden/view/metrics/metric_kind.h"

namespace warden::view {

// One metric of a node. Never moves, so that MetricsReader and queries may point to it under the
// lock.
struct MetricColumn {
  // Unique in the node: "cpu/cpu0/CPUUtilization"; where slashes in names make two alike, "#2" is
  // appended. Part of the API.
  std::string key;
  std::string type;  // The next three as the line has them.
  std::string name;
  std::string dimension;
  std::string unit;            // As UnitOf.
  Whole whole = Whole::kNone;  // The total that it is part of.
  MetricLevels levels;
};

// All metrics of one machine. Its moments are those of timeline::NodeSample: lines within 20 ms of
// each other; a line that repeats begins a new one. Every metric has a value, or NaN, at each
// moment.
//
// Memory is bounded by its owner, who drops old detail with Spare() and GiveUp(). Not safe for
// threads. At most 4096 metrics of one node, and about 65,536 of all nodes together, 16 of which
// every node has in any case: a file cannot fill the memory with names.
class NodeTable {
 public:
  // others: metrics of other nodes, since the number of all metrics of a run is limited.
  explicit NodeTable(std::string name, size_t others = 0);

  const std::string& name() const { return name_; }

  // Adds a line. Lines are expected in the order of time. False if it was ignored: it is from
  // before the last moment, its time or value cannot be right, or there are too many metrics. Times
  // must be after 1970 and before the year 3000, values below 1e30. A line within 20 ms of the
  // moment's first line belongs to it.
  bool Add(const format::MetricLine& line);
  // Ends the moment in the making: nothing was written for a while.
  void Pause();

  size_t size() const { return size_; }  // Moments that are over.
  // In the order in which they were first seen. Columns stay where they are.
  const std::vector<std::unique_ptr<MetricColumn>>& metrics() const { return metrics_; }
  // The samples of a total. REQUIRES: not kNone.
  const MetricLevels& whole(Whole whole) const { return *wholes_[static_cast<size_t>(whole)]; }
  // By the key of a metric or of a Whole; null if there is none. Valid as long as the table. Keys
  // of totals come first: a metric cannot hide them.
  const MetricLevels* Find(std::string_view key) const;
  // The unit of such a key; "" if there is none.
  std::string_view UnitOfKey(std::string_view key) const;

  // When a moment was, in seconds since 1970; interpolated where detail was dropped. REQUIRES: i <
  // size().
  double TimeAt(size_t i) const;
  // The first moment at that time or later; size() if there is none. Binary search.
  size_t MomentAt(double time) const;
  // How many samples the finest entry stands for that is left of a moment: 1, 16, 256, ...
  size_t DetailAt(size_t i) const;

  // Memory of what is kept, by its own estimate.
  size_t bytes() const;
  // Bytes of a level of all metrics that could be dropped; 0 if too little of it is left, or if it
  // is the top level. Some of each level always stays: the last 512 entries.
  size_t Spare(size_t level) const;
  // Drops the oldest quarter of what is kept of a level. REQUIRES: Spare(level) > 0. It is still in
  // the next level, where an entry stands for 16 of this one.
  void GiveUp(size_t level);

 private:
  struct Times {
    size_t first = 0;
    std::deque<double> kept;  // When each entry begins.
  };

  // A moment: its first line, and its end. Begin is false if the time is before the last moment.
  bool Begin(double time);
  void Finish();
  // Totals of the moment.
  void FinishWholes();
  // The column of a line, made if it is new; null if there are too many.
  MetricColumn* ColumnOf(const format::MetricLine& line, size_t* index);
  MetricColumn* Make(const format::MetricLine& line);
  // What was dropped, by level: for columns that come later.
  std::vector<size_t> Firsts() const;

  const std::string name_;
  const size_t most_metrics_;
  size_t size_ = 0;           // Moments that are over.
  std::vector<Times> times_;  // By level.
  std::vector<std::unique_ptr<MetricColumn>> metrics_;
  std::map<std::string, size_t, std::less<>> by_key_;  // Positions in metrics_.
  std::array<std::unique_ptr<MetricLevels>, kWholes> wholes_;

  // The moment in the making.
  bool open_ = false;
  double open_time_ = 0;  // Of its first line.
  std::vector<float> open_values_;
  std::vector<uint8_t> open_given_;  // By metric: whether the moment has it.
  std::array<MetricStretch, kWholes> open_wholes_;
  size_t last_index_ = 0;  // Metric of the last line: the next one is likely the next.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_NODE_TABLE_H_
