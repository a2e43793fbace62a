#ifndef WARDEN_JOBS_LAUNCH_BOXED_H_
#define WARDEN_JOBS_LAUNCH_BOXED_H_

// `warden agent boxed`: the process between an agent and a program in a box (os/box.h). It is
// another program than the agent because making a box needs a process with one thread.

#include <string>
#include <vector>

namespace warden::jobs {

// Runs a program in a box, and ends this process as the program ended. file: JSON with "box" and
// "directory", and, unless words are given, "words" and "environment"; spec.json of a host is such
// a file (host_spec.h). words: a JSON list, whose program gets the environment of this process.
// Returns only if the file cannot be read: the exit code, after a message on standard error.
int RunBoxed(const std::string& file, const std::string& words);

// The command of the above, for the program at that path.
//
//   BoxedCommand("/usr/bin/warden", "/data/jobs/a/hosts/algo-1/spec.json")
std::vector<std::string> BoxedCommand(const std::string& program, const std::string& file);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_BOXED_H_
