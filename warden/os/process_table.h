#ifndef WARDEN_OS_PROCESS_TABLE_H_
#define WARDEN_OS_PROCESS_TABLE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warden::os {

// A process as the kernel shows it. IDs are reused; ID and start time together are unique.
struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  uint64_t start = 0;  // In the kernel's own count since it was booted.
  bool ended = false;  // Only its parent has not asked how.
};

// Nothing if no process has this ID.
std::optional<Process> FindProcess(pid_t pid);

// When a process began, in the kernel's own count. Nothing if there is no such process, or it has
// ended and only waits for its parent to ask how.
std::optional<int64_t> StartOfProcess(pid_t pid);

// All visible processes, in no order. Not a snapshot: processes start and end during the scan.
std::vector<Process> AllProcesses();

}  // namespace warden::os

#endif  // WARDEN_OS_PROCESS_TABLE_H_
