#ifndef WARDEN_JOBS_LAUNCH_START_PROGRAM_H_
#define WARDEN_JOBS_LAUNCH_START_PROGRAM_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

struct ProgramToStart {
  std::vector<std::string> words;        // The first is found by the PATH of the environment.
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;
  int output = -1;   // For what it says, on both channels.
  int members = -1;  // Of a ProcessGroup; -1: none.
  // What it gets when we die: SIGKILL, unless it has to end something elsewhere.
  int last_signal = 9;
};

// Starts a child that leads a process group of its own and dies with this thread. kInvalid if it
// cannot be, saying why.
Result<pid_t> StartProgram(const ProgramToStart& program);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_START_PROGRAM_H_
