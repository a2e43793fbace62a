#ifndef WARDEN_MONITOR_PROCESS_STAT_H_
#define WARDEN_MONITOR_PROCESS_STAT_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warden::monitor {

// More than either of the files of a process that are read here has.
inline constexpr size_t kStatBytes = 1024;

// What /proc/<pid>/stat says of a process.
struct ProcessStat {
  pid_t parent = 0;
  bool ended = false;        // Only its parent has not asked how.
  uint64_t cpu_ticks = 0;    // Of all its threads.
  uint64_t child_ticks = 0;  // Of children that ended and that it has waited for.
  uint64_t start_ticks = 0;  // Since boot; with the number, it tells a process from a later one.
  uint64_t threads = 0;
  uint64_t pages = 0;  // In memory.
};
std::optional<ProcessStat> ParseProcessStat(std::string_view text);

// What /proc/<pid>/io says.
struct ProcessIo {
  uint64_t read = 0, written = 0;            // By system calls.
  uint64_t disk_read = 0, disk_written = 0;  // From and to disks.
};
// 0 for what is not there; some systems hide it from all but the owner.
ProcessIo ParseProcessIo(std::string_view text);

// Whether a child of a training loads its data: PyTorch's workers, which newer versions name, and
// copies of the parent that go on under its command line, or that Python started as such. The
// command lines are as /proc/<pid>/cmdline has them.
bool IsDataLoaderWorker(std::string_view name, std::string_view command,
                        std::string_view parent_command);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_PROCESS_STAT_H_
