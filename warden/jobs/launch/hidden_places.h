#ifndef WARDEN_JOBS_LAUNCH_HIDDEN_PLACES_H_
#define WARDEN_JOBS_LAUNCH_HIDDEN_PLACES_H_

// What of this machine a job must not see, and what it must although it is in a folder that its
// user cannot enter. Used for boxes (isolation.h).

#include <string>
#include <vector>

#include "warden/os/box.h"
#include "warden/service/options.h"

namespace warden::jobs {

// The path without links, as far as it exists.
std::string RealPath(const std::string& path);

// Folders and files of the service and of its user: data, keys, settings with secrets, and sockets
// of programs that would do anything for the user (container engines, session managers).
std::vector<std::string> PlacesToHide(const service::ServiceOptions& options);

// Lets another user reach a folder or a file in the box: where a folder above it cannot be entered
// by others, that folder is hidden, and the path shown in it.
void MakeReachable(const std::string& path, os::Box* box);

// The folders that a program in an environment consists of: of "/home/me/venv/bin/python" these are
// "/home/me/venv" and the installation that it is a link into. Empty for one that does not exist.
std::vector<std::string> FoldersOfProgram(const std::string& path);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HIDDEN_PLACES_H_
