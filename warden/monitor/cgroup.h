#ifndef WARDEN_MONITOR_CGROUP_H_
#define WARDEN_MONITOR_CGROUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warden::monitor {

// What this process may use of the machine, by version 2 and version 1 of control groups: the
// tightest limit of its own group and of all above it. Used by the collectors for processors,
// memory and containers, which read the files named here on each tick. Nothing here fails: what
// cannot be read counts as no limit. `root` stands before /proc and /sys: empty on the machine
// itself.

// How much memory the group may take, and where to read how much it has taken. used = the usage
// file's count less the droppable one, which the kernel gives back under pressure.
struct MemoryLimit {
  uint64_t bytes = 0;
  std::string usage_file;     // Bytes that are taken.
  std::string stat_file;      // With what of it is file cache that can be dropped,
  std::string droppable_key;  // under this name.
};
// Nothing where the group may take all that the machine has, which is machine_bytes.
std::optional<MemoryLimit> FindMemoryLimit(const std::string& root, uint64_t machine_bytes);

// How much processor time the group may use, and where to read how much it has used.
struct CpuLimit {
  // The quota as a number of cores; may be a fraction, is above 0.
  double cores = 0;
  std::string usage_file;   // Processor time that was used:
  std::string usage_key;    // under this name; empty: the file has nothing else.
  double usage_unit_s = 0;  // What it counts in.
  std::string stat_file;    // nr_periods and nr_throttled.
};
// Nothing without a quota. Cores that the group is bound to are not a quota: see FindCores.
//
//   const auto limit = FindCpuLimit("");
//   const double cores = limit ? limit->cores : sysconf(_SC_NPROCESSORS_ONLN);
std::optional<CpuLimit> FindCpuLimit(const std::string& root);

// More than any machine has: bounds what is allocated for a number that is read from a file.
inline constexpr size_t kMostCores = 65536;

// The cores that this process may run on, by number; empty: all. An index beyond its end: not
// allowed.
std::vector<bool> FindCores(const std::string& root);

// "0-3,8" as cores by number. Empty for text that is not such a list, and for numbers of kMostCores
// and above.
std::vector<bool> ParseCoreList(std::string_view text);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_CGROUP_H_
