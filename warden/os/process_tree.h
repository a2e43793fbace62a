#ifndef WARDEN_OS_PROCESS_TREE_H_
#define WARDEN_OS_PROCESS_TREE_H_

// Ends a training, or what is left of one, and everything it started: for actions that stop a
// training, for `warden` stopping a run of this machine, for leftovers of jobs, and for closed
// shells.

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
// touched; kIo, with their IDs, if some could not be killed: after the kill it waits up to 10
// seconds for processes that a device keeps.
//
// With a grace of 0 the kill follows the SIGTERM at once. Processes that left group and session
// before the call, and whose parent had ended, are not found. Blocks, and reads the table of
// processes about 20 times a second meanwhile. For any thread.
Status StopProcessTree(pid_t root, std::chrono::milliseconds grace);

}  // namespace warden::os

#endif  // WARDEN_OS_PROCESS_TREE_H_
