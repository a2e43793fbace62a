#ifndef WARDEN_JOBS_EXEC_HOST_PLACE_H_
#define WARDEN_JOBS_EXEC_HOST_PLACE_H_

// Finds out how a host runs, without asking its agent. Used when a shell is opened.

#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/exec/pty_shell.h"

namespace warden::jobs {

// Where the program of a job's host runs, so that a shell can be opened there.
struct HostPlace {
  std::vector<std::string> environment;  // "NAME=value".
  std::string directory;                 // Absolute.
  // The words before a command that is to run in the host's container; empty if it does not use
  // one.
  std::vector<std::string> entering;
  // The box that the program runs in (os/box.h); nothing if it does not use one.
  std::optional<ShellBox> box;
};

// Reads the spec of the host's agent (spec.json in its folder). kNotFound if the host was not
// started, or its program has ended; kCorrupt, naming the member.
Result<HostPlace> ReadHostPlace(const std::string& agent_folder);

// $SHELL of the environment if it can be executed here, else /bin/sh, which containers have.
std::string ShellOf(const HostPlace& place);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_HOST_PLACE_H_
