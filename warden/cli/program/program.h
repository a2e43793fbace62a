#ifndef WARDEN_CLI_PROGRAM_PROGRAM_H_
#define WARDEN_CLI_PROGRAM_PROGRAM_H_

#include "warden/cli/output.h"

namespace warden::cli {

// Runs the command that the arguments name and returns the exit code of the program.
int RunProgram(int argc, const char* const* argv, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_PROGRAM_PROGRAM_H_
