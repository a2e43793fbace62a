#ifndef WARDEN_JOBS_RULES_LOG_OUTPUT_H_
#define WARDEN_JOBS_RULES_LOG_OUTPUT_H_

// Gives the process of a rule its log. A rule prints what `warden watch` would print, a custom rule
// in Python prints what it likes, and both are to be found with the job's logs.
//
//   auto log = LogOutput::Open(folder, 10 << 20, 5);
//   if (!log.ok()) return Fail(log.status());
//   fmt::print("rule started\n");  // Goes to the log, with the time.

#include <memory>
#include <string>
#include <thread>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// While it exists, standard output and error of this process and its children go to a log, line by
// line with times. One at a time, since it changes descriptors 1 and 2 of the whole process; create
// and destroy it while no other thread prints. A thread copies from a pipe to the log; if the log
// cannot be written, what is printed is lost, but nobody waits.
class LogOutput {
 public:
  // folder: of the log; file_bytes, files: how large one file becomes, and how many are kept, as in
  // LogWriter::Open, whose errors it returns. kIo if there are no descriptors left.
  static Result<std::unique_ptr<LogOutput>> Open(const std::string& folder, uint64_t file_bytes,
                                                 int files);
  // Everything written before is in the log then. The old output is put back first. A child that is
  // still running keeps writing to the pipe, which nobody reads from then on; it gets SIGPIPE.
  ~LogOutput();
  LogOutput(const LogOutput&) = delete;
  LogOutput& operator=(const LogOutput&) = delete;

 private:
  LogOutput(std::unique_ptr<jobs::LogWriter> log, os::UniqueFd read_end);
  // The thread. Ends with what is in the pipe when the stop is requested, and does not wait for
  // children that hold the other end.
  void Copy(const std::stop_token& stop);

  const std::unique_ptr<jobs::LogWriter> log_;
  const os::UniqueFd read_end_;
  const os::UniqueFd output_, error_;  // The original descriptors.
  std::jthread thread_;                // Last: it uses all others.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RULES_LOG_OUTPUT_H_
