#ifndef WARDEN_RULES_CUSTOM_WORKER_PROCESS_H_
#define WARDEN_RULES_CUSTOM_WORKER_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::rules {

// A process that answers each line of JSON on its standard input by one on its standard output. It
// is in a process group of its own, begins with all signals at their defaults, and is killed when
// the thread that started it ends. Whatever it does, nobody waits for it longer than told to.
class WorkerProcess {
 public:
  // Gets what it prints to standard error, line by line, while an answer is waited for.
  using OnLine = std::function<void(std::string_view line)>;

  // command: the program's file and its arguments. kIo if the system refuses; a program that cannot
  // be executed is told by the first answer.
  static Result<std::unique_ptr<WorkerProcess>> Start(const std::vector<std::string>& command,
                                                      OnLine on_line);
  // Tells it to end by closing its input, and kills it and all it started if it does not.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // kUnavailable: no answer in time. kIo: it has ended. kCorrupt: not JSON. The message says so,
  // how it ended and what it printed last. It is dead then.
  Result<Json> Ask(const Json& request, std::chrono::milliseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;

  WorkerProcess(pid_t pid, int channel, int errors, OnLine on_line)
      : pid_(pid), channel_(channel), errors_(errors), on_line_(std::move(on_line)) {}

  // Waits for something to happen and takes it; false when the channel has ended.
  bool Exchange(std::string* outgoing, std::chrono::milliseconds wait);
  bool Receive();
  void TakeErrors();
  void TellLines();
  // Whether it has ended, not yet reaped.
  bool HasEnded() const;
  bool WaitForEnd(std::chrono::milliseconds wait);
  // Kills all that is left of it. How it ended: "exited with status 3".
  std::string End();
  Status Failed(Code code, std::string_view what);

  const pid_t pid_;
  int channel_;
  int errors_;
  const OnLine on_line_;
  bool reaped_ = false;
  std::string incoming_;
  std::string line_;  // Of standard error, not complete yet.
  std::string tail_;  // The last that it printed there.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_WORKER_PROCESS_H_
