#ifndef WARDEN_CLI_DOCTOR_SUBPROCESS_H_
#define WARDEN_CLI_DOCTOR_SUBPROCESS_H_

#include <chrono>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::cli {

// The standard output of a program, found by PATH; its standard error is dropped. kNotFound if it
// does not exist, kUnavailable if it did not finish in time (it is killed then), kIo if it failed.
Result<std::string> OutputOf(const std::vector<std::string>& arguments,
                             std::chrono::milliseconds timeout);

}  // namespace warden::cli

#endif  // WARDEN_CLI_DOCTOR_SUBPROCESS_H_
