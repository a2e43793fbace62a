#ifndef WARDEN_JOBS_LAUNCH_OUTPUT_PUMP_H_
#define WARDEN_JOBS_LAUNCH_OUTPUT_PUMP_H_

#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// Carries a program's output to its log, from a thread of its own, and remembers the end of it.
class OutputPump {
 public:
  // kIo if there is no pipe to be had.
  static Result<std::unique_ptr<OutputPump>> Start(std::unique_ptr<LogWriter> log);
  ~OutputPump();
  OutputPump(const OutputPump&) = delete;
  OutputPump& operator=(const OutputPump&) = delete;

  // For the program to write to.
  int input() const { return input_.get(); }
  // The program has been started: only it holds the other end from here on.
  void CloseInput() { input_ = os::UniqueFd(); }
  // What was written is in the log afterwards. Waits for nobody who could still write.
  void Finish();
  // The last bytes that were written. REQUIRES: Finish() was called.
  const std::string& tail() const { return tail_; }

 private:
  OutputPump(std::unique_ptr<LogWriter> log, os::UniqueFd output, os::UniqueFd input,
             os::UniqueFd wake);
  void Work();
  bool ReadOnce();

  const std::unique_ptr<LogWriter> log_;
  os::UniqueFd output_;
  os::UniqueFd input_;
  os::UniqueFd wake_;
  std::string tail_;
  std::thread thread_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_OUTPUT_PUMP_H_
