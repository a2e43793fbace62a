#ifndef WARDEN_OS_PROCESS_TABLE_H_
#define WARDEN_OS_PROCESS_TABLE_H_

// Reads the kernel's table of processes (/proc): who is there, who started whom. Used to stop trees
// of processes, to find what a training started, and to tell a process from a later one with the
// same ID. Needs no privileges. Only reads, fails never, and is safe for many threads; what cannot
// be read, or is hidden by the mount options of /proc, is as if it were not there.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warden::os {

// A process as the kernel shows it. IDs are reused; ID and start time together are unique. Save
// both wherever a process is remembered:
//
//   const auto now = os::FindProcess(pid);
//   const bool same = now && now->start == start && !now->ended;
struct Process {
  pid_t pid = 0;
  // Process 1, or the nearest "subreaper", once its own parent has ended.
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  // In clock ticks since the machine was booted (field 22 of /proc/PID/stat): compare for equality
  // and order on one machine between two boots, nothing else.
  uint64_t start = 0;
  // A zombie: it runs no more, and only its parent has not asked how it ended.
  bool ended = false;
};

// Nothing if no process has this ID. IDs of threads other than the first are found too, as the
// kernel has them under /proc.
std::optional<Process> FindProcess(pid_t pid);

// When a process began, in the kernel's own count. Nothing if there is no such process, or it has
// ended and only waits for its parent to ask how.
std::optional<int64_t> StartOfProcess(pid_t pid);

// All visible processes, in no order. Not a snapshot: processes start and end during the scan. One
// small file is read for each, so do not call it in a loop without a pause.
std::vector<Process> AllProcesses();

}  // namespace warden::os

#endif  // WARDEN_OS_PROCESS_TABLE_H_
