#ifndef WARDEN_MONITOR_PROCESS_TREE_H_
#define WARDEN_MONITOR_PROCESS_TREE_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace warden::monitor {

enum class TreeSearch {
  kQuick,     // Children that main threads have started; all, where the kernel does not tell.
  kThorough,  // Goes through every process of the machine.
};

// The process and all that descend from it, itself first, be they still there or not. At most some
// thousands.
std::vector<pid_t> FindProcessTree(const std::string& root, pid_t top, TreeSearch search);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_PROCESS_TREE_H_
