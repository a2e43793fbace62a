#ifndef WARDEN_JOBS_EXEC_HOST_PLACE_H_
#define WARDEN_JOBS_EXEC_HOST_PLACE_H_

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// Where the program of a job's host runs.
struct HostPlace {
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;
  // What stands before the words of a program that is to run in the host's container; empty without
  // one.
  std::vector<std::string> entering;
};

// From what the host's agent was told (its spec.json). kNotFound if it was not started; kCorrupt,
// naming the member.
Result<HostPlace> ReadHostPlace(const std::string& agent_folder);

// $SHELL of the environment if it can be executed here, else /bin/sh, which containers have.
std::string ShellOf(const HostPlace& place);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_HOST_PLACE_H_
