#ifndef WARDEN_OS_PROCESS_TREE_H_
#define WARDEN_OS_PROCESS_TREE_H_

#include <sys/types.h>

#include <chrono>

#include "warden/base/status.h"

namespace warden::os {

// Stops a process and everything it has started: its descendants, also those that lost their parent
// during the scan, and, if it leads a session or a process group, all members. They are paused for
// a moment, so that none escapes, and asked to end with SIGTERM, and SIGCONT for those that were
// stopped. Processes that they start afterwards may be part of their cleanup and get no SIGTERM.
// All that are left after the grace period are killed. A later process with a reused ID is not
// touched, and neither are we, our ancestors or process 1.
//
// Returns when all have ended; at once if the process does not exist. kInvalid if root must not be
// touched; kIo, with their IDs, if some could not be killed.
Status StopProcessTree(pid_t root, std::chrono::milliseconds grace);

}  // namespace warden::os

#endif  // WARDEN_OS_PROCESS_TREE_H_
