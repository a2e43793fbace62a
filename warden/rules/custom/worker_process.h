#ifndef WARDEN_RULES_CUSTOM_WORKER_PROCESS_H_
#define WARDEN_RULES_CUSTOM_WORKER_PROCESS_H_

// The border to rules in Python: another process, so that a rule that crashes, hangs or needs all
// memory takes nothing with it.

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::rules {

// A process that answers each line of JSON on its standard input with one on its standard output.
// It has a separate process group, starts with all signals at their defaults, and is killed when
// the thread that started it ends. Whatever it does, nobody waits for it longer than the timeout
// and a few seconds for its end. Runs the Python rules. For one thread. The channel is a socket,
// since writing to a closed pipe would raise SIGPIPE.
//
//   auto process = WorkerProcess::Start({python, "-m", "tensorwarden.rules.worker"}, log_line);
//   const auto answer = process.value()->Ask({{"step", 12}}, std::chrono::seconds(60));
class WorkerProcess {
 public:
  // Gets what it prints to standard error, line by line, as UTF-8 and cut to 1000 bytes. Called on
  // the thread that owns this object, while it waits for an answer or for the end.
  using OnLine = std::function<void(std::string_view line)>;

  // command: the path of the program, which is not searched for on PATH, and its arguments. kIo if
  // the system refuses; that a program cannot be executed shows with the first answer (kIo).
  static Result<std::unique_ptr<WorkerProcess>> Start(const std::vector<std::string>& command,
                                                      OnLine on_line);
  // Ends the process by closing its input; after two seconds kills it and all it started.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Sends one request and waits for the answer, a JSON object of at most 16 MiB. kUnavailable: no
  // answer in time. kIo: the process has ended. kCorrupt: the answer is not a JSON object, or too
  // long. The message says so, how the process ended and what it printed last. After any error the
  // process is dead, and every further call returns kIo. Requests are UTF-8, whatever is in them.
  // Looks five times a second whether the process still lives.
  Result<Json> Ask(const Json& request, std::chrono::milliseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;

  WorkerProcess(pid_t pid, os::UniqueFd channel, os::UniqueFd errors, OnLine on_line)
      : pid_(pid),
        channel_(std::move(channel)),
        errors_(std::move(errors)),
        on_line_(std::move(on_line)) {}

  // Waits for something to happen and takes it; false when the channel has ended.
  bool Exchange(std::string* outgoing, std::chrono::milliseconds wait);
  // Reads from the channel; false at its end.
  bool Receive();
  // Reads what it printed to standard error.
  void TakeErrors();
  void TellLines();
  // Whether it has ended, not yet reaped.
  bool HasEnded() const;
  // Waits for its end, and reads standard error meanwhile, since it may not end before that.
  bool WaitForEnd(std::chrono::milliseconds wait);
  // Kills all that is left of it. How it ended: "exited with code 3".
  std::string End();
  // Ends it and makes the status of Ask().
  Status Failed(Code code, std::string_view what);

  const pid_t pid_;
  os::UniqueFd channel_;  // Our end of its standard input and output.
  os::UniqueFd errors_;   // Of its standard error.
  const OnLine on_line_;
  bool reaped_ = false;   // It is gone; its number may be somebody else's.
  std::string incoming_;  // Not complete yet.
  std::string line_;      // Of standard error, not complete yet.
  std::string tail_;      // The last that it printed there.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_WORKER_PROCESS_H_
