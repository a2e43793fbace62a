#ifndef WARDEN_ACTIONS_PROCESS_TREE_H_
#define WARDEN_ACTIONS_PROCESS_TREE_H_

#include <sys/types.h>

#include <chrono>

#include "warden/base/status.h"

namespace warden::actions {

// Ends a process and all that it has started: its descendants, also those that lost their parent
// while we looked, and, if it leads a session or a process group, everyone in there. They are held
// still for a moment, so that none slips away, and asked to end: SIGTERM, and SIGCONT so that those
// that were stopped hear it too. What they start from then on may help them to, and is not asked.
// All that are left after grace are killed. A process that was given the number of one of them
// later is not touched, and neither are we, our ancestors or process 1.
//
// Returns when all have ended; at once if there is no such process. kInvalid if root is one of
// those that are not touched, kIo, naming them, if some could not be ended.
Status StopProcessTree(pid_t root, std::chrono::milliseconds grace);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_PROCESS_TREE_H_
