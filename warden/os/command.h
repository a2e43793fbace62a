#ifndef WARDEN_OS_COMMAND_H_
#define WARDEN_OS_COMMAND_H_

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::os {

struct CommandLine {
  std::vector<std::string> words;  // The program, found by PATH, and its arguments.
  std::vector<std::pair<std::string, std::string>> variables;  // Added to our environment.
  std::chrono::milliseconds timeout{60'000};
};

// Runs a program to its end, with the given input, in a new process group, which is killed as a
// whole after the timeout or on a stop request. The end of its output is part of the message if it
// fails. It need not read the input.
//
// Ok if it exits with 0. kUnavailable for 75 (EX_TEMPFAIL: try again later) and on a stop; kInvalid
// for any other ending, or if it cannot be started.
Status RunCommand(const CommandLine& command, std::string_view input, const std::stop_token& stop);

}  // namespace warden::os

#endif  // WARDEN_OS_COMMAND_H_
