#ifndef WARDEN_VIEW_METRICS_NODE_TABLE_H_
#define WARDEN_VIEW_METRICS_NODE_TABLE_H_

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

// One metric of a node.
struct MetricColumn {
  std::string key;  // Unlike any other's of the node: "cpu/cpu0/CPUUtilization".
  std::string type;
  std::string name;
  std::string dimension;
  std::string unit;
  Whole whole = Whole::kNone;
  MetricLevels levels;
};

// All metrics of one machine. Its moments are those of timeline::NodeSample: lines within 20 ms of
// each other, begun anew when a line repeats; every metric has a value, or NaN, at each of them.
class NodeTable {
 public:
  // others: metrics of other nodes, with which it shares what one run may have.
  explicit NodeTable(std::string name, size_t others = 0);

  const std::string& name() const { return name_; }

  // Lines are expected in the order of time. False: it comes from before the last moment, or of one
  // metric too many, and was passed over.
  bool Add(const format::MetricLine& line);
  // The moment in the making is over: nothing was written for a while.
  void Pause();

  size_t size() const { return size_; }  // Moments that are over.
  const std::vector<std::unique_ptr<MetricColumn>>& metrics() const { return metrics_; }
  const MetricLevels& whole(Whole whole) const { return *wholes_[static_cast<size_t>(whole)]; }
  // By the key of a metric or of a Whole; null if there is none.
  const MetricLevels* Find(std::string_view key) const;
  std::string_view UnitOfKey(std::string_view key) const;

  // When a moment was; nearly, where that was given up. REQUIRES: i < size().
  double TimeAt(size_t i) const;
  // The first moment at that time or later; size() if there is none.
  size_t MomentAt(double time) const;
  // The most samples that an entry stands for which is all that is left of a moment.
  size_t DetailAt(size_t i) const;

  size_t bytes() const;
  // Bytes of a level of all metrics that could be given up while most of them are kept.
  size_t Spare(size_t level) const;
  // Gives up the oldest quarter of what is kept of a level.
  void GiveUp(size_t level);

 private:
  struct Times {
    size_t first = 0;
    std::deque<double> kept;  // When each entry begins.
  };

  bool Begin(double time);
  void Finish();
  void FinishWholes();
  MetricColumn* ColumnOf(const format::MetricLine& line, size_t* index);
  MetricColumn* Make(const format::MetricLine& line);
  std::vector<size_t> Firsts() const;

  const std::string name_;
  const size_t most_metrics_;
  size_t size_ = 0;
  std::vector<Times> times_;  // By level.
  std::vector<std::unique_ptr<MetricColumn>> metrics_;
  std::map<std::string, size_t, std::less<>> by_key_;
  std::array<std::unique_ptr<MetricLevels>, kWholes> wholes_;

  // The moment in the making.
  bool open_ = false;
  double open_time_ = 0;
  std::vector<float> open_values_;
  std::vector<uint8_t> open_given_;
  std::array<MetricStretch, kWholes> open_wholes_;
  size_t last_index_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_NODE_TABLE_H_
