#ifndef WARDEN_OS_RUN_COMMAND_H_
#define WARDEN_OS_RUN_COMMAND_H_

// Runs a command to its end and says how it ended: for actions of rules (`exec`) and for receivers
// of events that are commands. Starts it with program.h.

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::os {

// What to run. Not a shell's line: quotes, variables and pipes mean nothing unless the words are
// {"sh", "-c", "..."}.
struct CommandLine {
  // The program, found by our PATH if it has no '/', and its arguments. Not empty.
  std::vector<std::string> words;
  // Name and value, added to the environment. They replace variables with the same name.
  std::vector<std::pair<std::string, std::string>> variables;
  // What else is in its environment ("NAME=value"); default: ours.
  std::optional<std::vector<std::string>> environment;
  // From the start of the command to its end.
  std::chrono::milliseconds timeout{60'000};
};

// Runs a program to its end, with the given input, in a new process group, which is killed as a
// whole after the timeout or on a stop request. The end of its output is part of the message if it
// fails. It need not read the input.
//
// Ok if it exits with 0. kUnavailable for 75 (EX_TEMPFAIL: try again later) and on a stop; kInvalid
// for any other ending, or if it cannot be started. kIo if this process has no descriptors left.
//
// Standard output and error are read to the end of the command, and the last 1000 bytes of both
// together are kept for the message, quoted as a JSON string. Processes that the command leaves
// behind after its own end are not waited for. If SIGCHLD is ignored in this process, the exit code
// is unknown and counts as 0. Blocks; looks 50 times a second for the end. For any thread.
Status RunCommand(const CommandLine& command, std::string_view input, const std::stop_token& stop);

}  // namespace warden::os

#endif  // WARDEN_OS_RUN_COMMAND_H_
