#ifndef WARDEN_TIMELINE_SUMMARY_TIMELINE_SUMMARY_H_
#define WARDEN_TIMELINE_SUMMARY_TIMELINE_SUMMARY_H_

// Where the time of a run went, for `warden timeline summary`: by phase, by operator, by step.
//
//   const auto summary = SummariseTimelines("runs/1/profiler-output", {});
//   for (const SummaryRow& row : summary.value().operators) Print(row.durations.total_us);

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"
#include "warden/timeline/summary/step_breakdown.h"

namespace warden::timeline {

// How long some spans took, in microseconds. Quantiles are interpolated as NumPy does. All 0
// without spans.
struct DurationStats {
  int64_t count = 0;
  // Of all spans, also where they overlap: more than the run's time if several threads work at
  // once. Saturates at 9e18.
  int64_t total_us = 0;
  // Without the spans that lie wholly inside them on the same thread: where time is really spent. A
  // span that only overlaps another is counted in full.
  int64_t self_us = 0;
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

// The steps of one mode on one node. A run on several workers has one for each of them: compare
// them to find a slow one.
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

// What to look at; by default everything. Spans are counted whole even where they stick out of the
// range.
struct SummaryOptions {
  TimeRange range;                    // Spans that overlap it.
  std::vector<std::string> suffixes;  // Only timelines whose names end so; all if empty.
};

// Reads a profiler's folder or a single trace file, finished or not. Keeps 24 bytes of each span,
// so memory grows with the run. kNotFound if there is no such file or folder. A file of a folder
// that cannot be read is a problem; a single file that cannot be read is an error (kIo, kCorrupt).
//
// Reads all files once, one after the other, on the calling thread.
Result<TimelineSummary> SummariseTimelines(const std::string& path, const SummaryOptions& options);

// When the profiler's data begins, in microseconds since 1970: the earliest of the first file of
// each writer. Nothing if there is none that can be read. Reads whole traces, so it may take
// seconds. The CLI uses it for times that users give relative to the start.
std::optional<int64_t> StartOfRun(const std::string& folder);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_TIMELINE_SUMMARY_H_
