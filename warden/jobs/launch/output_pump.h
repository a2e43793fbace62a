#ifndef WARDEN_JOBS_LAUNCH_OUTPUT_PUMP_H_
#define WARDEN_JOBS_LAUNCH_OUTPUT_PUMP_H_

// Between a program and its log (jobs/logs/): lines get their times here. Independent of the
// program's own threads, so that a full pipe does not stop a training while the agent is busy.

#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// Carries a program's output to its log, on its own thread, and remembers the end of it. Used by
// the host agent. Its functions are for one thread. The program gets one pipe for output and
// errors, so the order of their lines is kept. If the log cannot be written the pump still reads: a
// training must not stand still for a full disk.
class OutputPump {
 public:
  // Owns the log. kIo if a pipe cannot be made. Starts the thread, in which signals are blocked.
  static Result<std::unique_ptr<OutputPump>> Start(std::unique_ptr<LogWriter> log);
  // As Finish().
  ~OutputPump();
  OutputPump(const OutputPump&) = delete;
  OutputPump& operator=(const OutputPump&) = delete;

  // The end of the pipe for the program to write to; stays ours. -1 after CloseInput().
  int input() const { return input_.get(); }
  // Call it once the program was started: only the program has the other end from here on.
  void CloseInput() { input_ = os::UniqueFd(); }
  // What was written so far is in the log afterwards, and the log is closed. Does not wait for
  // processes that still have the pipe open. May be called again.
  void Finish();
  // The last 4 KB that were written. REQUIRES: Finish() was called.
  const std::string& tail() const { return tail_; }

 private:
  OutputPump(std::unique_ptr<LogWriter> log, os::UniqueFd output, os::UniqueFd input,
             os::UniqueFd wake);
  void Work();      // The thread.
  bool ReadOnce();  // False: nobody can write any more.

  const std::unique_ptr<LogWriter> log_;  // Used by the thread until it has ended.
  os::UniqueFd output_;                   // The end of the pipe that the thread reads.
  os::UniqueFd input_;                    // The other end; closed by CloseInput.
  os::UniqueFd wake_;                     // An eventfd that ends the thread.
  std::string tail_;                      // Written by the thread until it has ended.
  std::thread thread_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_OUTPUT_PUMP_H_
