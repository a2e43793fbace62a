#ifndef WARDEN_TIMELINE_METRIC_TABLE_H_
#define WARDEN_TIMELINE_METRIC_TABLE_H_

// System metrics as columns, for analysis: the Python package makes data frames of them, the merge
// makes counters. For a stream of samples use ProfileFeed.
//
//   const auto table = ReadMetrics(folder, {.range = {start_us, end_us}, .types = {"gpu"}});
//   for (size_t i = 0; i < table.value().size(); ++i) Use(table.value().values[i]);

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

// System metrics in columns of the same length: one row is one line of a file. The columns of
// NameIds are codes into `names`. Owns everything: 40 bytes for each line, so memory grows with the
// run.
struct MetricTable {
  std::vector<int64_t> times_us;   // Microseconds since 1970, rounded.
  std::vector<double> times_s;     // Seconds, as the line has them.
  std::vector<double> values;      // As the line has them.
  std::vector<NameId> types;       // "cpu", "gpu", ...
  std::vector<NameId> metrics;     // Name: "cpu21"; 0, the empty name, where the line has none.
  std::vector<NameId> dimensions;  // "CPUUtilization".
  std::vector<NameId> nodes;       // "algo-1".
  Names names;

  int64_t broken = 0;                 // Lines that are not usable; they are left out.
  std::vector<std::string> problems;  // Files that could not be read, or have such lines.

  size_t size() const { return times_us.size(); }
};

// What to read; by default everything. The rows that do not fit are left out while reading: a small
// range of a large run takes little memory.
struct MetricQuery {
  TimeRange range;                 // Of the lines: both ends included.
  std::vector<std::string> types;  // Only lines of these; all if empty.
  // How far from the range the time in a file's name may be for the file to be looked into.
  int64_t buffer_us = kTimeBufferUs;
  bool unfinished = true;  // Also files that are being written.
  // Most threads to read with: 1 or 2. 0: two, if the machine has several cores and the files are
  // large enough.
  int threads = 0;
};

// The lines of the files of a profiler's folder that the original would look into, in the order of
// the times in the files' names, then of the names, then as they stand there. Reads large folders
// with two threads. An empty table if there are no files; kNotFound only if there is no such
// folder. A file that cannot be read becomes a problem, not an error.
Result<MetricTable> ReadMetrics(const std::string& folder, const MetricQuery& query);

// The whole lines of one text, as a file has them; what follows the last newline is ignored. Broken
// lines are counted; `problems` stays empty, since there is no file to name. For any thread.
MetricTable ReadMetricText(std::string_view text, const MetricQuery& query);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_METRIC_TABLE_H_
