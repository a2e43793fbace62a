#ifndef WARDEN_CLI_LAUNCH_CHILD_H_
#define WARDEN_CLI_LAUNCH_CHILD_H_

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::cli {

// How a program ended.
struct Ending {
  int exit_code = 0;
  int signal = 0;  // Not 0: the signal that killed it; exit_code is then what shells make of it.
};

struct ChildOptions {
  std::string program;                   // Path of the file to execute.
  std::vector<std::string> words;        // Its arguments, with its own name first.
  std::vector<std::string> environment;  // "NAME=value".
  std::function<void(pid_t)> started = [](pid_t) {};
};

// Runs a program to its end, as a shell would without us in between: it shares our input, output,
// terminal and process group, and every signal that we get is handed on to it, unless it has got it
// anyway because it was sent to the whole group (Ctrl-C, "kill %1"). When the terminal stops it, we
// stop too, so that a shell's job control works. It goes on if we are killed.
//
// kNotFound or kIo if it cannot be started. For the main thread, while there is no other.
Result<Ending> RunChild(const ChildOptions& options);

// Ends this process by the signal that the child died of, so that a shell sees the same.
[[noreturn]] void DieBySignal(int signal);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_CHILD_H_
