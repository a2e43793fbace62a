#ifndef WARDEN_ACTIONS_PROCESS_TABLE_H_
#define WARDEN_ACTIONS_PROCESS_TABLE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warden::actions {

// What the kernel says of a process. Numbers are given out again; number and start together are
// not.
struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  uint64_t start = 0;  // In the kernel's own count since it was booted.
  bool ended = false;  // Only its parent has not asked how.
};

// Nothing if there is no process of that number.
std::optional<Process> FindProcess(pid_t pid);

// All that we can see, in no order. Not of one moment: they come and go while it looks.
std::vector<Process> AllProcesses();

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_PROCESS_TABLE_H_
