#ifndef WARDEN_CLI_PROFILER_DATA_H_
#define WARDEN_CLI_PROFILER_DATA_H_

#include <string>

#include "warden/base/status.h"
#include "warden/timeline/profile_files.h"

namespace warden::cli {

// The profiler's folder of a run: what the user names, if there are profiler files in it, or
// profiler-output in it or beside it. kNotFound names the folders that were looked into.
Result<std::string> FindProfilerFolder(const std::string& run);

// A moment of a run as the user gives it: seconds from the beginning of the data, or, from 1e9 on,
// since 1970. kInvalid if it is no number; kNotFound if there are no data to count from.
Result<int64_t> ParseMoment(const std::string& flag, const std::string& text,
                            const std::string& folder);

// From --start to --end, each of which may be empty.
Result<timeline::TimeRange> ParseTimeRange(const std::string& start, const std::string& end,
                                           const std::string& folder);

}  // namespace warden::cli

#endif  // WARDEN_CLI_PROFILER_DATA_H_
