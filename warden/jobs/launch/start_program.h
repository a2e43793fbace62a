#ifndef WARDEN_JOBS_LAUNCH_START_PROGRAM_H_
#define WARDEN_JOBS_LAUNCH_START_PROGRAM_H_

// Starts the program of a host, as a child of its agent. (Agents themselves are started by
// agent/spawn.h.)

#include <sys/types.h>

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// A program to start.
struct ProgramToStart {
  std::vector<std::string> words;  // The first is found by the PATH in environment. Not empty.
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;                 // Its working folder.
  int output = -1;                       // Descriptor for stdout and stderr; stays the caller's.
  int members = -1;                      // ProcessGroup::members(); -1: none.
  // The signal that it gets when the agent dies: SIGKILL, unless it must end something elsewhere (a
  // container).
  int last_signal = 9;
};

// Starts a child that leads its own process group and dies with the calling thread. Returns once it
// runs; the caller waits for it (waitpid). kInvalid if it cannot be run, saying why; kIo.
Result<pid_t> StartProgram(const ProgramToStart& program);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_START_PROGRAM_H_
