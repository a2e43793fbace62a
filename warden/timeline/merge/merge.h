#ifndef WARDEN_TIMELINE_MERGE_MERGE_H_
#define WARDEN_TIMELINE_MERGE_MERGE_H_

// One timeline of all processes and machines of a run, for a trace viewer. Used by `warden timeline
// merge`, the dashboard's export and the Python package.
//
//   MergeOptions options;
//   options.out = MergedTimelinePath(folder, end_us, "algo-1");
//   const auto merged = MergeTimelines(folder, options);

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/host_clocks.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

// How far a merge is, in bytes of timelines; each is read twice.
struct MergeProgress {
  uint64_t done = 0;
  uint64_t all = 0;
};

// What to merge, and where to.
struct MergeOptions {
  TimeRange range;                    // Spans that overlap it and metrics in it.
  std::vector<std::string> suffixes;  // Only timelines whose names end so; all if empty.
  bool system = true;                 // System metrics as counters.
  bool kernels = true;                // GPU activity, with arrows from launches to kernels.
  bool bottlenecks = true;            // Marks where a GPU is used little; needs `system`.
  bool unfinished = true;             // Also files that are being written.
  int64_t buffer_us = kTimeBufferUs;
  // By how much times of hosts are moved, so that all are by one clock; the first events of the
  // result say so. The range is by that clock, too. Empty: times are as the files have them.
  HostClocks clocks;
  std::string out;    // The file to write; replaced when the new one is whole.
  bool gzip = false;  // Compress it; does not change the name.
  std::function<void(const MergeProgress&)> progress;  // Called now and then; may be empty.
};

// What was written.
struct MergeResult {
  int64_t spans = 0;    // Those of GPU activity included.
  int64_t kernels = 0;  // Of these, events of GPU activity.
  int64_t counters = 0;
  int64_t marks = 0;
  uint64_t bytes_read = 0;  // Of timelines.
  uint64_t bytes_written = 0;
  int64_t start_us = 0;               // Of the first event, since 1970; 0 if there is none.
  int64_t end_us = 0;                 // Of the last span or metric.
  std::vector<std::string> problems;  // For users: files and events that were left out.
};

// Merges the timelines of all processes of a run, and the metrics of its machines, into one for a
// trace viewer: a JSON array of Chrome trace events with times since 1970, sorted by their start.
// Takes memory for the events that others may still precede, not for the whole run, and for the
// metrics of the range. Uses a second thread for reading; callbacks come on the caller's.
//
// On an error nothing is written: kNotFound if there is no such folder, kIo if options.out cannot
// be written. Files that cannot be read are problems.
Result<MergeResult> MergeTimelines(const std::string& folder, const MergeOptions& options);

// When the steps of a run were, by its Python timelines: from the beginning of `first` to just
// before that of `last`, as the original has it. With last_included to just before the step after
// `last`, or to its end if there is none. clocks: as MergeOptions has them. kNotFound, with the
// steps there are, if one of the two is missing; kInvalid if first > last.
Result<TimeRange> TimeOfSteps(const std::string& folder, int64_t first, int64_t last,
                              bool last_included, const HostClocks& clocks = {});

// "<folder>/<end us>_<node>_merged_timeline.json", the original's name for the result. Underscores
// in the node become dashes.
std::string MergedTimelinePath(std::string_view folder, int64_t end_us, std::string_view node);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_MERGE_H_
