#ifndef WARDEN_CLI_DOCTOR_SUBPROCESS_H_
#define WARDEN_CLI_DOCTOR_SUBPROCESS_H_

#include <chrono>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::cli {

// What a program, found by PATH, prints to standard output; what it prints beside that is lost.
// kNotFound if there is no such program, kUnavailable if it did not end in time (it is killed
// then), kIo if it failed.
Result<std::string> OutputOf(const std::vector<std::string>& arguments,
                             std::chrono::milliseconds timeout);

}  // namespace warden::cli

#endif  // WARDEN_CLI_DOCTOR_SUBPROCESS_H_
