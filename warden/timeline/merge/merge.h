#ifndef WARDEN_TIMELINE_MERGE_MERGE_H_
#define WARDEN_TIMELINE_MERGE_MERGE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

// How far a merge is, in bytes of timelines; they are gone through twice.
struct MergeProgress {
  uint64_t done = 0;
  uint64_t all = 0;
};

struct MergeOptions {
  TimeRange range;                    // Spans that overlap it and metrics in it.
  std::vector<std::string> suffixes;  // Only timelines whose names end so; all if empty.
  bool system = true;                 // Metrics of the machine as counters.
  bool bottlenecks = true;            // Marks where a GPU has little to do.
  bool unfinished = true;             // Also files that are being written.
  int64_t buffer_us = kTimeBufferUs;
  std::string out;    // The file to write; replaced when the new one is whole.
  bool gzip = false;  // Pack it.
  std::function<void(const MergeProgress&)> progress;  // Called now and then; may be empty.
};

struct MergeResult {
  int64_t spans = 0;
  int64_t counters = 0;
  int64_t marks = 0;
  uint64_t bytes_read = 0;  // Of timelines.
  uint64_t bytes_written = 0;
  int64_t start_us = 0;  // Of the first event; 0 if there is none.
  int64_t end_us = 0;    // Of the last span or metric.
  std::vector<std::string> problems;
};

// Merges the timelines of all processes of a run, and the metrics of its machines, into one for a
// trace viewer: a JSON array of Chrome trace events with times since 1970, sorted by their start.
// Memory is taken for the events that may still be overtaken by others, not for the whole run, and
// for the metrics of the range. Nothing is written if there is an error: kNotFound if there is no
// such folder.
Result<MergeResult> MergeTimelines(const std::string& folder, const MergeOptions& options);

// When the steps of a run were, as its Python timelines tell: from the beginning of the first to
// just before that of `last`, as the original has it, or to the end of `last` if it is included.
// kNotFound, with the steps there are, if one of them is missing.
Result<TimeRange> TimeOfSteps(const std::string& folder, int64_t first, int64_t last,
                              bool last_included);

// "<folder>/<end us>_<node>_merged_timeline.json", the original's name for the result.
std::string MergedTimelinePath(std::string_view folder, int64_t end_us, std::string_view node);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_MERGE_H_
