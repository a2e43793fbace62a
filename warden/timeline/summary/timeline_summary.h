#ifndef WARDEN_TIMELINE_SUMMARY_TIMELINE_SUMMARY_H_
#define WARDEN_TIMELINE_SUMMARY_TIMELINE_SUMMARY_H_

// Where the time of a run went, for `warden timeline summary`: by phase, by operator, by step.
//
//   const auto summary = SummariseTimelines("runs/1/profiler-output", {});
//   for (const SummaryRow& row : summary.value().operators) Print(row.durations.total_us);

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"
#include "warden/timeline/summary/step_breakdown.h"

namespace warden::timeline {

// How long some spans took, in microseconds. Quantiles are interpolated as NumPy does.
struct DurationStats {
  int64_t count = 0;
  int64_t total_us = 0;
  int64_t self_us = 0;  // Without the spans inside them on the same thread.
  double mean_us = 0;
  double p50_us = 0;
  double p95_us = 0;
  int64_t max_us = 0;
};

// Spans of one phase, or of one name in it. NameIds are of TimelineSummary::names.
struct SummaryRow {
  NameId phase = 0;
  NameId name = 0;  // 0 where the row is of a whole phase.
  DurationStats durations;
};

// The steps of one mode on one node.
struct StepRow {
  std::string mode;  // "TRAIN".
  NameId node = 0;
  int64_t first_step = 0;  // Smallest number; -1 if a step has none.
  int64_t last_step = 0;
  DurationStats durations;  // self_us is 0.
  StepShares mean;          // Mean of the parts over the steps.
};

// The summary of a run. Owns everything.
struct TimelineSummary {
  int64_t spans = 0;
  int64_t start_us = 0;                   // Of the first span, since 1970; 0 without spans.
  int64_t end_us = 0;                     // Of the end of the last.
  std::vector<SummaryRow> phases;         // The longest in total first.
  std::vector<SummaryRow> operators;      // The same.
  std::vector<StepRow> steps;             // By mode, then by node.
  std::vector<StepBreakdown> breakdowns;  // Of each step, by time.
  Names names;
  std::vector<std::string> problems;  // For users: files and events that could not be read.
};

// What to look at; by default everything.
struct SummaryOptions {
  TimeRange range;                    // Spans that overlap it.
  std::vector<std::string> suffixes;  // Only timelines whose names end so; all if empty.
};

// Reads a profiler's folder or a single trace file, finished or not. Keeps 24 bytes of each span,
// so memory grows with the run. kNotFound if there is no such file or folder. A file of a folder
// that cannot be read is a problem; a single file that cannot be read is an error (kIo, kCorrupt).
Result<TimelineSummary> SummariseTimelines(const std::string& path, const SummaryOptions& options);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_TIMELINE_SUMMARY_H_
