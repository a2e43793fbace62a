#ifndef WARDEN_TIMELINE_MERGE_SYSTEM_EVENTS_H_
#define WARDEN_TIMELINE_MERGE_SYSTEM_EVENTS_H_

// The system metrics as events of a merged timeline, so that a viewer shows CPU and GPU usage above
// the spans. MergeTimelines takes them one by one, between spans, in the order of time.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "warden/timeline/merge/event_writer.h"
#include "warden/timeline/metric_table.h"

namespace warden::timeline {

// The metrics of a run's machines in the order of time, for a merged timeline: a counter for each,
// and, if asked, a mark at each moment at which a GPU is used less than 85 %, with all metrics
// within 20 ms. Moments within 20 ms of the last mark get none. For one thread.
class SystemEvents {
 public:
  // Takes the table over. Values that are not finite are left out.
  SystemEvents(MetricTable table, bool bottlenecks);

  bool done() const { return next_ == order_.size() && next_mark_ == marks_.size(); }
  // Of the next event, since 1970. REQUIRES: !done(). Never less than for the event before. Of what
  // happens at the same moment, counters come before marks.
  int64_t time_us() const;
  // Writes the next event and moves on. REQUIRES: !done(). A counter is named "DEVICE_METRIC_NODE":
  // "cpu0_CPUUtilization_algo-1".
  void WriteNext(EventWriter* writer);

  // How many there are in all.
  int64_t counters() const { return static_cast<int64_t>(order_.size()); }
  int64_t marks() const { return static_cast<int64_t>(marks_.size()); }

 private:
  // Or a counter, at the same moment too.
  bool MarkIsNext() const;
  // Moments at which a GPU is used less than 85 %, at least 20 ms apart.
  void FindMarks();
  void WriteMark(size_t row, EventWriter* writer);
  const std::string& NameOf(uint32_t row);
  int64_t TimeAt(size_t i) const { return table_.times_us[order_[i]]; }

  MetricTable table_;
  std::vector<uint32_t> order_;  // Rows by time.
  std::vector<size_t> marks_;    // Places in the order.
  size_t next_ = 0;
  size_t next_mark_ = 0;
  // "cpu0_CPUUtilization_algo-1" as JSON without quotes, by the three names.
  std::unordered_map<uint64_t, std::string> names_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_SYSTEM_EVENTS_H_
