#ifndef WARDEN_RULES_PROFILER_SPAN_LOG_H_
#define WARDEN_RULES_PROFILER_SPAN_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/rules/profiler/framework_breakdown.h"
#include "warden/rules/profiler/own_names.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// Pieces of time, ascending and apart from each other.
class Intervals {
 public:
  // The oldest are forgotten when there are more.
  static constexpr size_t kMost = 100'000;

  // Those that touch become one. Cheap if it begins after all others.
  void Add(int64_t start_us, int64_t end_us);

  bool empty() const { return all_.empty(); }
  // How much of the time from start to end they cover.
  int64_t Overlap(int64_t start_us, int64_t end_us) const;

 private:
  struct Interval {
    int64_t start_us = 0;
    int64_t end_us = 0;
  };
  std::vector<Interval> all_;
};

// The last spans of a run, to be asked what happened at certain times.
class SpanLog {
 public:
  // The older half is forgotten when there are more.
  static constexpr size_t kMost = 400'000;

  void Add(const timeline::Span& span, const timeline::Names& names);

  // Of a node; nullptr: nothing of it.
  using IntervalsOf = std::function<const Intervals*(const std::string& node)>;
  // What happened in these intervals, added to the object.
  void AppendBreakdown(const IntervalsOf& intervals_of, Json* details) const;

 private:
  struct Entry {
    int64_t start_us = 0;
    int64_t duration_us = 0;
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
