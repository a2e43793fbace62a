#ifndef WARDEN_JOBS_LOGS_LOG_FOLDER_H_
#define WARDEN_JOBS_LOGS_LOG_FOLDER_H_

// The files of a log. For the writer, the reader and those who add or count lines
// (exec/session_log.h, sagemaker/logs_streams.h); others use log_file.h.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// A log is a sequence of bytes, cut into files. Each is named by the position of its first byte, so
// that positions stay valid when old files are removed. It contains lines "<milliseconds since
// 1970> <text>":
//
//   log.00000000000000000000  1763251200000 epoch 1
//                             1763251201500 epoch 2
//   log.00000000000000000044  1763251203000 epoch 3
struct LogFile {
  std::string name;    // Within the folder.
  uint64_t start = 0;  // Position of its first byte in the log.
  uint64_t size = 0;   // Bytes, when the folder was read.
};

// "log.00000000000000001234" for 1234: names sort as positions do.
std::string LogFileName(uint64_t start);

// Where a writer removed what lies between the beginning and the end, the first file ends with a
// line that says so.
inline constexpr std::string_view kGapText = "[output left out here]";
// That line, written at a time, with its end.
std::string GapLine(Time time);

// The files of a log, oldest first; none if the folder does not exist. Other files and links are
// skipped, and names that no log gets to: positions are below 2^53, which JSON has exactly. kIo.
Result<std::vector<LogFile>> LogFilesIn(const std::string& folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LOGS_LOG_FOLDER_H_
