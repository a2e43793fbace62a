#ifndef WARDEN_JOBS_LAUNCH_START_PROGRAM_H_
#define WARDEN_JOBS_LAUNCH_START_PROGRAM_H_

// Starts the program of a host, as a child of its agent. (Agents themselves are started by
// agent/spawn.h.)

#include <sys/types.h>

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// A program to start. Its standard input is /dev/null. It inherits no other descriptors, and no
// blocked signals.
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
// runs; the caller waits for it (waitpid). kInvalid if it cannot be run, saying why; kIo. kInvalid
// is the user's mistake, a program that is missing or cannot be executed or a folder that is gone,
// and names both; kIo is ours, a machine without processes or descriptors left. A process group
// that takes no members is not an error: descendants are looked for then.
Result<pid_t> StartProgram(const ProgramToStart& program);

// The files that a word may mean as a program, in order: by PATH of the environment, unless there
// is a '/' in it. Not looked at: they may not exist.
std::vector<std::string> FilesFor(const std::string& word,
                                  const std::vector<std::string>& environment);

// The program that a word means for this process, by its PATH; the word itself if there is a '/' in
// it. Empty if there is none.
std::string ProgramOnPath(const std::string& word);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_START_PROGRAM_H_
