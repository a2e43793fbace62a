#ifndef WARDEN_RULES_PROFILER_FRAMEWORK_BREAKDOWN_H_
#define WARDEN_RULES_PROFILER_FRAMEWORK_BREAKDOWN_H_

// Adds up the spans of a timeline by what they are (span_kind.h), for the tables and charts of the
// profiling report. Times of nested spans are counted in each of them, so percentages of phases can
// be compared with each other but do not sum up to the run. Operators also have their self time.

#include <array>
#include <unordered_map>

#include "warden/base/json_fwd.h"
#include "warden/base/types.h"
#include "warden/rules/profiler/self_times.h"
#include "warden/rules/profiler/span_kind.h"
#include "warden/timeline/names.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// Where the time went, of a whole run or of parts of it: by phase, by step, by operator. Used by
// OverallFrameworkMetrics for the run, and by SpanLog for chosen intervals. Memory grows with the
// number of different names. For one thread.
class FrameworkBreakdown {
 public:
  // Adds a span. us: how much of it counts, in microseconds. REQUIRES: `names` is the same in all
  // calls. us is less than the span's duration where only a part of it lies in a chosen interval.
  // The kind of a phase is found once, when its name is met first. REQUIRES: IsUsable(span).
  void Add(const timeline::Span& span, const timeline::Names& names, double us);
  // Adds time between the first and the last step in which no step ran, in microseconds.
  void AddBetweenSteps(double us) { between_steps_ += us; }

  // No span was added; time between steps does not count.
  bool empty() const { return phases_.empty(); }

  // Adds the FRAMEWORK members of docs/design/011-profiling.md to the object *details: percentages
  // and totals in microseconds, at most 200 names each, the longest first. names: those of all
  // spans. Replaces members of the same names. Percentages of operators are those of their self
  // times; operators below 2 % are left out of them, not of the totals.
  void AppendTo(const timeline::Names& names, Json* details) const;

 private:
  using Times = std::unordered_map<timeline::NameId, double>;  // Microseconds.
  struct Phase {
    double us = 0;
    SpanKind kind = SpanKind::kOther;
    std::optional<Mode> mode;
  };
  struct Steps {
    int64_t count = 0;
    double us = 0;
  };

  // Operators of a device: with those inside them, and without.
  struct Operators {
    Times total;
    Times self;
    SelfTimes nesting;

    void Add(const timeline::Span& span, double us);
  };

  // The entry of a span's phase, with its kind, which is found once for each name.
  Phase& PhaseOf(const timeline::Span& span, const timeline::Names& names);
  // Percentages of the time in steps, by mode, and between them ("others").
  Json Ratio() const;
  // Percentages of forward, backward, optimizer and data loading among these four.
  Json ForwardBackward() const;
  Json StepsByMode() const;

  // Horovod's phases are apart from others of the same name.
  std::unordered_map<uint64_t, Phase> phases_;
  std::array<Steps, kAllModes.size()> steps_;
  Operators cpu_;
  Operators gpu_;
  Times horovod_;
  Times general_;
  std::array<double, kSpanKinds> kinds_ = {};
  double between_steps_ = 0;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_FRAMEWORK_BREAKDOWN_H_
