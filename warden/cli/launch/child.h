#ifndef WARDEN_CLI_LAUNCH_CHILD_H_
#define WARDEN_CLI_LAUNCH_CHILD_H_

// The training as a child of `warden run`, such that neither the user nor a script notices that we
// stand in between: signals, terminal, job control and exit code are those of the training.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::cli {

// How a process ended.
struct Ending {
  int exit_code = 0;
  int signal = 0;  // Not 0: the signal that killed it; exit_code is then 128 + signal.
};

// Not a shell's line: words are passed as they are.
struct ChildOptions {
  std::string program;                   // Path of the file to execute.
  std::vector<std::string> words;        // Its arguments, with its own name first.
  std::vector<std::string> environment;  // "NAME=value".
  // Called once in this process, when it runs: to start the monitor and rules beside it.
  std::function<void(pid_t)> started = [](pid_t) {};
  // Descriptors for its standard output and error, which stay the caller's; -1: ours.
  int output = -1;
  int errors = -1;
  // Called when the window of our terminal has another size, before the child hears of it.
  std::function<void()> resized = [] {};
};

// Runs a program to its end, as a shell would without us in between: it shares our input, output,
// terminal and process group. We pass on every signal that we get, unless it was sent to the whole
// group (Ctrl-C, "kill %1") and has reached the program anyway. When the terminal stops it, we stop
// too, which keeps a shell's job control working. It continues if we are killed. When SIGTERM has
// ended it, we ignore that signal from then on: schedulers send it to every process of a job, in no
// order, and expect each to finish its work.
//
// kNotFound or kIo if it cannot be started. For the main thread, before any other is started. A
// script without a "#!" line is run by /bin/sh. Signals that stop or kill unconditionally (SIGSTOP,
// SIGKILL) cannot be passed on.
Result<Ending> RunChild(const ChildOptions& options);

// Ends this process by the signal that the child died of, so that a shell sees the same. Writes no
// core file: the child has written its own. If the signal does not kill, exits with 128 + signal.
[[noreturn]] void DieBySignal(int signal);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_CHILD_H_
