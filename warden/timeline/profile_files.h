#ifndef WARDEN_TIMELINE_PROFILE_FILES_H_
#define WARDEN_TIMELINE_PROFILE_FILES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/timeline/span.h"

namespace warden::timeline {

// A file of system metrics.
struct MetricFile {
  std::string path;
  int64_t time_us = 0;  // In its name: of its first line.
  bool finished = true;
};

// A file with spans.
struct TraceFile {
  std::string path;
  int64_t time_us = 0;  // In its name: of the end of its last span; 0 if that is not known yet.
  int64_t base_us = 0;  // What its times count from, if its name or a file beside it says so.
  std::string node;     // As events tell it.
  std::string suffix;   // "pythontimeline.json": with the node it names the writer.
  Source source = Source::kOther;
  bool finished = true;
  bool gzip = false;
};

// The files below a profiler's folder, as paths relative to it, in no order. What cannot be listed
// is left out; links to folders are not followed.
std::vector<std::string> ListFolder(const std::string& folder, std::string_view below);

// What the file with that key, relative to the profiler's folder, is; nothing if it is another kind
// of file. The zero-byte file beside a TensorFlow trace is looked for in `all`, sorted keys.
std::optional<MetricFile> ToMetricFile(const std::string& folder, const std::string& key);
std::optional<TraceFile> ToTraceFile(const std::string& folder, const std::string& key,
                                     const std::vector<std::string>& all);

// Which part of a run is asked for.
struct TimeRange {
  int64_t start_us = std::numeric_limits<int64_t>::min();
  int64_t end_us = std::numeric_limits<int64_t>::max();  // Included.

  bool Has(int64_t time_us) const { return start_us <= time_us && time_us <= end_us; }
  bool Overlaps(int64_t from_us, int64_t to_us) const {
    return start_us <= to_us && from_us <= end_us;
  }
};

// How far from a range a file's name may be for the file to be looked into, as in the original.
inline constexpr int64_t kTimeBufferUs = 180'000'000;

// Those whose names are in the range or near it, and the next one after it; of metrics also the one
// before. Unfinished ones always, where they are wanted. In order of time, then of name.
std::vector<MetricFile> MetricFiles(const std::string& folder, const TimeRange& range,
                                    int64_t buffer_us, bool unfinished);
// In order of source, then of time, then of name; of those that end in one of the suffixes, if any.
std::vector<TraceFile> TraceFiles(const std::string& folder, const TimeRange& range,
                                  int64_t buffer_us, bool unfinished,
                                  const std::vector<std::string>& suffixes);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_PROFILE_FILES_H_
