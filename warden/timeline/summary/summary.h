#ifndef WARDEN_TIMELINE_SUMMARY_SUMMARY_H_
#define WARDEN_TIMELINE_SUMMARY_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"
#include "warden/timeline/summary/step_breakdown.h"

namespace warden::timeline {

// How long some spans took, in microseconds. Quantiles lie between neighbours as NumPy's do.
struct DurationStats {
  int64_t count = 0;
  int64_t total_us = 0;
  int64_t self_us = 0;  // Without the spans inside them on the same thread.
  double mean_us = 0;
  double p50_us = 0;
  double p95_us = 0;
  int64_t max_us = 0;
};

// Spans of one phase, or of one name in it.
struct SummaryRow {
  NameId phase = 0;
  NameId name = 0;  // 0 where the row is of a whole phase.
  DurationStats durations;
};

// The steps of one mode on one node.
struct StepRow {
  std::string mode;  // "TRAIN".
  NameId node = 0;
  int64_t first_step = 0;
  int64_t last_step = 0;
  DurationStats durations;  // self_us is not counted.
  StepShares mean;          // Of the parts, for each step.
};

struct TimelineSummary {
  int64_t spans = 0;
  int64_t start_us = 0;                   // Of the first span.
  int64_t end_us = 0;                     // Of the last.
  std::vector<SummaryRow> phases;         // The longest in total first.
  std::vector<SummaryRow> operators;      // The same.
  std::vector<StepRow> steps;             // By mode, then by node.
  std::vector<StepBreakdown> breakdowns;  // Of each step, by time.
  Names names;
  std::vector<std::string> problems;
};

struct SummaryOptions {
  TimeRange range;                    // Spans that overlap it.
  std::vector<std::string> suffixes;  // Only timelines whose names end so; all if empty.
};

// Where the time of a run went, from its profiler's folder or from a single trace file. kNotFound
// if there is no such thing.
Result<TimelineSummary> SummariseTimelines(const std::string& path, const SummaryOptions& options);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_SUMMARY_H_
