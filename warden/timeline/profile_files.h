#ifndef WARDEN_TIMELINE_PROFILE_FILES_H_
#define WARDEN_TIMELINE_PROFILE_FILES_H_

// Which files a profiler's folder has, and which of them a range of time needs. The names of files
// say when their data begins or ends, so that most files need not be opened. Used by all readers
// here, the feeds, and the dashboard's view.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/os/posix.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/span.h"

namespace warden::timeline {

// Whoever wrote a run may have left links in it, to a large folder or to a file of the reader's.
// Readers of profiles follow them only as long as they lead to something in the run.

// How much of the path "folder/key" leads to the folder that links after it must not leave. A
// folder called "profiler-output" is a part of the folder that it is in, the run, and may be such a
// link itself; any other is that folder. The length includes the last '/'; 0 stands for the current
// folder. Only the text of the path is looked at.
size_t RootOfProfile(std::string_view folder);
// The folder as the user named it, for the functions here. They would take a link that is called
// "profiler-output" for one in a run: instead of it, where it leads.
std::string NamedProfile(const std::string& folder);
// Opens a key in a profiler's folder, or the folder itself (""), as OpenInside of its root.
os::UniqueFd OpenInProfile(const std::string& folder, std::string_view key, int flags);
// Whether a folder of metrics or timelines is there, and in the run.
bool HasProfile(const std::string& folder);

// A file of system metrics, one line of JSON for each metric and moment. Its path is that of the
// folder and the key.
struct MetricFile : FilePlace {
  int64_t time_us = 0;   // In its name: of its first line.
  bool finished = true;  // False: still being written, under a temporary name.
};

// A file with spans: a Chrome trace, plain or gzip. Which kinds there are: timelines of our hook or
// the original's, of frameworks, of Horovod and of smdataparallel by their suffixes; TensorFlow's
// in their own folder; PyTorch's "*.pt.trace.json". Its path is that of the folder and the key.
struct TraceFile : FilePlace {
  int64_t time_us = 0;  // In its name: of the end of its last span; 0 if that is not known yet.
  int64_t base_us = 0;  // What its times count from, if its name or a file beside it says so.
  std::string node;     // Process and host as events refer to them: "algo-1-88".
  std::string suffix;   // "pythontimeline.json": with the node it names the writer.
  Source source = Source::kOther;  // By the suffix; kOther for a framework's own trace.
  bool finished = true;            // False: still being written, under a temporary name.
  bool gzip = false;
  // How far the clock of its host is ahead of the one that times are wanted by. 0: times stay as
  // the file has them; whoever merges hosts sets it (host_clocks.h).
  int64_t ahead_us = 0;
};

// The files below `below` in a profiler's folder, as paths relative to the folder, in no order.
// What cannot be listed is left out, as are folders more than 16 levels down. Links to folders are
// not followed, except where `below` is one; links to files count if they lead to one in the run.
// Reads all folders each time: to look again and again, use FolderScan.
std::vector<std::string> ListFolder(const std::string& folder, std::string_view below);

// What the file with that key, relative to the profiler's folder, is; nothing if it is another kind
// of file. Only names are looked at. all: sorted keys of the folder, in which the empty file beside
// a TensorFlow trace is searched that has its times.
std::optional<MetricFile> ToMetricFile(const std::string& folder, const std::string& key);
std::optional<TraceFile> ToTraceFile(const std::string& folder, const std::string& key,
                                     const std::vector<std::string>& all);

// Which part of a run is asked for, in microseconds since 1970. By default all of it. Both ends are
// included. A range whose end is before its start has nothing.
struct TimeRange {
  int64_t start_us = std::numeric_limits<int64_t>::min();
  int64_t end_us = std::numeric_limits<int64_t>::max();  // Included.

  bool Has(int64_t time_us) const { return start_us <= time_us && time_us <= end_us; }
  bool Overlaps(int64_t from_us, int64_t to_us) const {
    return start_us <= to_us && from_us <= end_us;
  }
};

// How far from a range a file's name may be for the file to be opened, as in the original: 3
// minutes.
inline constexpr int64_t kTimeBufferUs = 180'000'000;

// The files of system metrics that may have data of the range: those whose names are within
// buffer_us of it, the one before and the one after. Unfinished ones always if `unfinished`, else
// never. By time, then name. Empty if there is no such folder.
std::vector<MetricFile> MetricFiles(const std::string& folder, const TimeRange& range,
                                    int64_t buffer_us, bool unfinished);
// The same for a range of minutes, without a buffer: lists the folders of its hours alone, so that
// a run of many days takes no longer than a short one. REQUIRES: a range with both ends.
std::vector<MetricFile> MetricFilesAround(const std::string& folder, const TimeRange& range);
// As MetricFiles for traces, without the one before, since their names have the time of their end.
// If there are suffixes, only files whose names end in one of them. By source, then time, then
// name.
std::vector<TraceFile> TraceFiles(const std::string& folder, const TimeRange& range,
                                  int64_t buffer_us, bool unfinished,
                                  const std::vector<std::string>& suffixes);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_PROFILE_FILES_H_
