#ifndef WARDEN_CLI_LAUNCH_FIND_PROGRAM_H_
#define WARDEN_CLI_LAUNCH_FIND_PROGRAM_H_

#include <string>

#include "warden/base/status.h"

namespace warden::cli {

// The file that a shell would execute for this word: by PATH, unless there is a '/' in it.
// kNotFound if there is none, kIo if it is not executable.
Result<std::string> FindProgram(const std::string& word);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_FIND_PROGRAM_H_
