#ifndef WARDEN_JOBS_LOGS_LOG_FOLDER_H_
#define WARDEN_JOBS_LOGS_LOG_FOLDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// A log is a row of bytes, cut into files. Each is called by the place of its first byte in the
// row, so that places stay right when old files go. In it are lines "<milliseconds since 1970>
// <text>".
struct LogFile {
  std::string name;
  uint64_t start = 0;
  uint64_t size = 0;
};

std::string LogFileName(uint64_t start);

// Oldest first; none if the folder is not there. kIo.
Result<std::vector<LogFile>> LogFilesIn(const std::string& folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LOGS_LOG_FOLDER_H_
