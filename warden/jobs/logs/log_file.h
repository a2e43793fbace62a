#ifndef WARDEN_JOBS_LOGS_LOG_FILE_H_
#define WARDEN_JOBS_LOGS_LOG_FILE_H_

// What programs of jobs print, kept as lines with the time of each. The host agent writes a log
// while the service and its clients read it, without locks: CloudWatch's operations, the dashboard.
//
//   auto log = LogWriter::Open(service::DataLayout::Log(agent), 16 << 20, 5);
//   log.value()->Append("epoch 1\nepo", Now());              // One line; the rest waits.
//   auto page = ReadLog(service::DataLayout::Log(agent), 0, 100, 1 << 20);
//   page = ReadLog(folder, page.value().next, 100, 1 << 20);  // What follows.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Writes one log: a folder of files of limited size, of which old ones are removed. One writer at
// a time for a folder; for one thread at a time. Blocks on the disk.
class LogWriter {
 public:
  // Continues the log in the folder, which is created if it is missing. A file is followed by the
  // next one once it has file_bytes; at most `files` files are kept (at least 1). keeps_first: the
  // oldest file is one of these, with a line at its end that says that something is missing; what
  // is removed lies between the beginning and the end. kIo.
  static Result<std::unique_ptr<LogWriter>> Open(const std::string& folder, uint64_t file_bytes,
                                                 int files, bool keeps_first = false);
  virtual ~LogWriter() = default;
  // Takes any bytes, in any pieces; a line is written when it is complete, with the time `now` of
  // its end. '\r' ends a line, too (progress bars). Lines of more than 64 KB are split. An error is
  // logged once and the rest is dropped: a program must not stand still because a disk is full.
  virtual void Append(std::string_view piece, Time now) = 0;
  // Writes the last line if it has no end. Nothing can be appended after that. Without Close() an
  // incomplete line is lost.
  virtual void Close(Time now) = 0;
};

// One line of output.
struct LogLine {
  Time time;              // When it was complete.
  std::string text;       // Valid UTF-8, without the line end.
  uint64_t position = 0;  // Of its first byte in the log: unique, and growing.
};

// Lines that follow each other.
struct LogPage {
  std::vector<LogLine> lines;  // Oldest first.
  uint64_t next = 0;  // Where to continue reading; never decreases, also across removed files.
};

// Reads at most so many lines and bytes from a position on (0: the oldest line that is left). At
// least one line if there is one, even if it is longer than bytes. Empty if nothing follows yet, or
// there is no log; an incomplete last line is left for later. Accepts any content: what has no time
// gets that of the line before. kIo. Safe for many threads.
Result<LogPage> ReadLog(const std::string& folder, uint64_t position, size_t lines, size_t bytes);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LOGS_LOG_FILE_H_
