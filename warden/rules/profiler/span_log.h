#ifndef WARDEN_RULES_PROFILER_SPAN_LOG_H_
#define WARDEN_RULES_PROFILER_SPAN_LOG_H_

// What happened during bottlenecks and slow steps: intervals of interest, and a log of recent spans
// that can be cut to them. Used by CPUBottleneck, IOBottleneck and StepOutlier for their reports.
//
//   log.AppendBreakdown([&](const std::string& node) { return IntervalsOf(node); }, &details);

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/rules/profiler/framework_breakdown.h"
#include "warden/rules/profiler/own_names.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// Intervals of time in microseconds, ascending and disjoint. For one thread. A union of intervals,
// not a list of what was added: 16 bytes for each that does not touch another.
class Intervals {
 public:
  // The oldest are forgotten when there are more.
  static constexpr size_t kMost = 100'000;

  // Adds [start, end); intervals that touch are united. Cheap if it begins after all others.
  // Ignored if start >= end.
  void Add(int64_t start_us, int64_t end_us);

  bool empty() const { return all_.empty(); }
  // How much of the time from start to end they cover, in microseconds. Binary search, then one
  // look at each interval in between.
  int64_t Overlap(int64_t start_us, int64_t end_us) const;

 private:
  struct Interval {
    int64_t start_us = 0;
    int64_t end_us = 0;
  };
  std::vector<Interval> all_;
};

// The last spans of a run, to find out later what happened at certain times. Keeps its own names,
// so it does not refer to the feed. For one thread. 40 bytes for each span that is kept, so at most
// 16 MB. Bottlenecks that are older than the log have no breakdown.
class SpanLog {
 public:
  // The older half is dropped when there are more.
  static constexpr size_t kMost = 400'000;

  // Spans without length, or with times that cannot be right, are ignored. REQUIRES: `names` is the
  // same in all calls.
  void Add(const timeline::Span& span, const timeline::Names& names);

  // The intervals of interest of a node, as timelines name it; nullptr: none. Must stay valid
  // during the call of AppendBreakdown.
  using IntervalsOf = std::function<const Intervals*(const std::string& node)>;
  // Adds what happened in these intervals to the object *details, as FrameworkBreakdown has it.
  // Looks at all spans: for reports, not for each evaluation. Spans that lie partly in an interval
  // count with that part. Time between the first and the last step in which no step ran counts as
  // between steps.
  void AppendBreakdown(const IntervalsOf& intervals_of, Json* details) const;

 private:
  struct Entry {
    int64_t start_us = 0;
    int64_t duration_us = 0;
    int64_t thread = 0;
    timeline::NameId name = 0;
    timeline::NameId phase = 0;
    timeline::NameId node = 0;
    timeline::Source source = timeline::Source::kOther;
  };

  OwnNames names_;
  std::vector<Entry> entries_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_SPAN_LOG_H_
