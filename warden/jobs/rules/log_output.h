#ifndef WARDEN_JOBS_RULES_LOG_OUTPUT_H_
#define WARDEN_JOBS_RULES_LOG_OUTPUT_H_

#include <memory>
#include <string>
#include <thread>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// While it exists, standard output and error of this process and its children go to a log, line by
// line with times. One at a time.
class LogOutput {
 public:
  static Result<std::unique_ptr<LogOutput>> Open(const std::string& folder, uint64_t file_bytes,
                                                 int files);
  // Everything written before is in the log then.
  ~LogOutput();
  LogOutput(const LogOutput&) = delete;
  LogOutput& operator=(const LogOutput&) = delete;

 private:
  LogOutput(std::unique_ptr<jobs::LogWriter> log, os::UniqueFd read_end);
  void Copy(const std::stop_token& stop);

  const std::unique_ptr<jobs::LogWriter> log_;
  const os::UniqueFd read_end_;
  const os::UniqueFd output_, error_;  // The original descriptors.
  std::jthread thread_;                // Last: it uses all others.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RULES_LOG_OUTPUT_H_
