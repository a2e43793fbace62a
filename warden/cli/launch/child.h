#ifndef WARDEN_CLI_LAUNCH_CHILD_H_
#define WARDEN_CLI_LAUNCH_CHILD_H_

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

struct ChildOptions {
  std::string program;                   // Path of the file to execute.
  std::vector<std::string> words;        // Its arguments, with its own name first.
  std::vector<std::string> environment;  // "NAME=value".
  std::function<void(pid_t)> started = [](pid_t) {};
};

// Runs a program to its end, as a shell would without us in between: it shares our input, output,
// terminal and process group. We pass on every signal that we get, unless it was sent to the whole
// group (Ctrl-C, "kill %1") and has reached the program anyway. When the terminal stops it, we stop
// too, which keeps a shell's job control working. It continues if we are killed.
//
// kNotFound or kIo if it cannot be started. For the main thread, before any other is started.
Result<Ending> RunChild(const ChildOptions& options);

// Ends this process by the signal that the child died of, so that a shell sees the same.
[[noreturn]] void DieBySignal(int signal);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_CHILD_H_
