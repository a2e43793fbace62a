#ifndef WARDEN_CLI_PROGRAM_RUN_PROGRAM_H_
#define WARDEN_CLI_PROGRAM_RUN_PROGRAM_H_

// The program without main(), so that tests run whole command lines in their own process.

#include "warden/cli/output.h"

namespace warden::cli {

// Runs the command that the arguments name and returns the exit code of the program
// (cli/command.h). argv[0] is the program's name, as in main. Help goes to the output, usage errors
// and errors of the command to the messages of `out`, which stays the caller's.
int RunProgram(int argc, const char* const* argv, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_PROGRAM_RUN_PROGRAM_H_
