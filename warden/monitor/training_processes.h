#ifndef WARDEN_MONITOR_TRAINING_PROCESSES_H_
#define WARDEN_MONITOR_TRAINING_PROCESSES_H_

// Finds the processes of a training, for the process collector. Unlike os/process_tree.h, which
// stops them, this only looks, also below another root than /.

#include <sys/types.h>

#include <string>
#include <vector>

namespace warden::monitor {

// How much to spend on the search. A training of many processes is searched quickly in each tick,
// and thoroughly now and then: a child that a thread other than the main one started is only found
// so.
enum class TreeSearch {
  kQuick,     // Children of main threads only; kThorough where the kernel does not list them.
  kThorough,  // Goes through every process of the machine.
};

// The process and all its descendants, itself first. Not a snapshot: some may have ended by the
// time it returns, and `top` is in the list even if it does not exist. The search ends after some
// 4096 processes. root stands before /proc.
std::vector<pid_t> FindProcessTree(const std::string& root, pid_t top, TreeSearch search);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_TRAINING_PROCESSES_H_
