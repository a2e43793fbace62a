#ifndef WARDEN_MONITOR_PROCESS_STAT_H_
#define WARDEN_MONITOR_PROCESS_STAT_H_

// Readers of the kernel's texts about one process, for the process collector and the search of a
// process tree. Pure functions of the text, without copies.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warden::monitor {

// Longer than either of the files of a process that are read here.
inline constexpr size_t kStatBytes = 1024;

// A process, from /proc/<pid>/stat. Times are in the kernel's clock ticks (sysconf(_SC_CLK_TCK) per
// second).
struct ProcessStat {
  pid_t parent = 0;
  bool ended = false;        // Only its parent has not asked how.
  uint64_t cpu_ticks = 0;    // Of all its threads.
  uint64_t child_ticks = 0;  // Of children that ended and that it has waited for.
  // Since boot; together with the process ID it identifies a process, also when the ID is reused.
  uint64_t start_ticks = 0;
  // Threads now, and pages in memory (sysconf(_SC_PAGESIZE) bytes each).
  uint64_t threads = 0;
  uint64_t pages = 0;
};
// Nothing for a text that is cut off or is something else. The process's name may hold anything.
std::optional<ProcessStat> ParseProcessStat(std::string_view text);

// Bytes that a process read and wrote since it started, from /proc/<pid>/io.
struct ProcessIo {
  uint64_t read = 0, written = 0;            // By system calls.
  uint64_t disk_read = 0, disk_written = 0;  // From and to disks.
};
// 0 for what is not there; some systems hide it from all but the owner.
ProcessIo ParseProcessIo(std::string_view text);

// Whether a child of a training loads its data: PyTorch's workers, which newer versions name, and
// copies of the parent that run under its command line, or that Python's multiprocessing started.
// name is as in /proc/<pid>/comm; the command lines are as in /proc/<pid>/cmdline. A guess, since a
// fork of the training looks the same.
bool IsDataLoaderWorker(std::string_view name, std::string_view command,
                        std::string_view parent_command);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_PROCESS_STAT_H_
