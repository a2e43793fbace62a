#ifndef WARDEN_CLI_PROFILER_DATA_H_
#define WARDEN_CLI_PROFILER_DATA_H_

// Where the profiler's files of a run are, and which part of it the user means. For `warden
// timeline` and `warden report profiler`.

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/timeline/profile_files.h"
#include "warden/watch/profile_mirror.h"

namespace warden::cli {

// What the profiler saved of a run, as files of this machine.
struct ProfilerData {
  std::string folder;                            // Where readers find it.
  std::unique_ptr<watch::ProfileMirror> mirror;  // Keeps the folder, if the run is elsewhere.
};

// The profiler's folder of a run: the given folder, if it contains profiler files, or
// profiler-output in it or next to it. Of a run in S3 they are copied. kNotFound names the folders
// that were searched; other errors are those of the store.
Result<ProfilerData> FindProfilerData(const std::string& run);

// Where the profiler of a run saves by its layout, without looking there. For a run in S3, an empty
// mirror of it.
Result<ProfilerData> ProfilerDataOf(const std::string& run);

// A time in a run as the user gives it, in microseconds since 1970: text is seconds from the start
// of the data, or, from 1e9 on, since 1970. flag names it in messages. kInvalid if it is not a
// number of 0 or more; kNotFound if there is no data to count from. folder: of FindProfilerData.
Result<int64_t> ParseMoment(const std::string& flag, const std::string& text,
                            const std::string& folder);

// From --start to --end, each of which may be empty: no limit then. kInvalid if the end is first;
// other errors as above.
Result<timeline::TimeRange> ParseTimeRange(const std::string& start, const std::string& end,
                                           const std::string& folder);

// The value of --top: how many rows to print. kInvalid unless it is a positive integer.
Result<size_t> ParseTop(const std::string& text);

}  // namespace warden::cli

#endif  // WARDEN_CLI_PROFILER_DATA_H_
