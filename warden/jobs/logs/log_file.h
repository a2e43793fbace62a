#ifndef WARDEN_JOBS_LOGS_LOG_FILE_H_
#define WARDEN_JOBS_LOGS_LOG_FILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// A program's output as lines with the time of each, in a folder of files of limited size: the
// oldest go when there are too many.
class LogWriter {
 public:
  // Continues what is there. kIo.
  static Result<std::unique_ptr<LogWriter>> Open(const std::string& folder, uint64_t file_bytes,
                                                 int files);
  virtual ~LogWriter() = default;
  // Any bytes, in any pieces; a line is written when it is whole, or by Close. A line that is
  // absurdly long is cut into several. An error is told once and the rest is dropped: the program
  // must not stand still because a disk is full.
  virtual void Append(std::string_view piece, Time now) = 0;
  virtual void Close(Time now) = 0;
};

struct LogLine {
  Time time;
  std::string text;
  uint64_t position = 0;  // Of its beginning.
};

struct LogPart {
  std::vector<LogLine> lines;
  uint64_t next = 0;  // Where to go on; grows, also over files that have gone.
};

// At most so many lines and bytes, from a position on (0: the oldest that is left). Empty if there
// is none yet. kIo.
Result<LogPart> ReadLog(const std::string& folder, uint64_t position, size_t lines, size_t bytes);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LOGS_LOG_FILE_H_
