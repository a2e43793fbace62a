#ifndef WARDEN_CLI_DOCTOR_SUBPROCESS_H_
#define WARDEN_CLI_DOCTOR_SUBPROCESS_H_

#include <chrono>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::cli {

// The standard output of a program, found by PATH; its standard error is dropped and its standard
// input is empty. Blocks until it ends. kNotFound if it does not exist; kUnavailable if it did not
// finish in time or printed more than 1 MiB (it and its children are killed then); kIo if it could
// not be started, or ended with another exit code than 0. REQUIRES: arguments is not empty; the
// first one is the program.
Result<std::string> OutputOf(const std::vector<std::string>& arguments,
                             std::chrono::milliseconds timeout);

}  // namespace warden::cli

#endif  // WARDEN_CLI_DOCTOR_SUBPROCESS_H_
