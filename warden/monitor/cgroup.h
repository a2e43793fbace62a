#ifndef WARDEN_MONITOR_CGROUP_H_
#define WARDEN_MONITOR_CGROUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warden::monitor {

// What this process may use of the machine, by version 2 and version 1 of control groups: the
// tightest limit of its own group and of all above it.

struct MemoryLimit {
  uint64_t bytes = 0;
  std::string usage_file;     // Bytes that are taken.
  std::string stat_file;      // With what of it is file cache that can be dropped,
  std::string droppable_key;  // under this name.
};
// Nothing where the group may take all that the machine has.
std::optional<MemoryLimit> FindMemoryLimit(const std::string& root, uint64_t machine_bytes);

struct CpuLimit {
  double cores = 0;
  std::string usage_file;   // Processor time that was used:
  std::string usage_key;    // under this name; empty: the file has nothing else.
  double usage_unit_s = 0;  // What it counts in.
  std::string stat_file;    // nr_periods and nr_throttled.
};
std::optional<CpuLimit> FindCpuLimit(const std::string& root);

// More than any machine has.
inline constexpr size_t kMostCores = 65536;

// The cores that it may run on, by number; empty: all.
std::vector<bool> FindCores(const std::string& root);

// "0-3,8" as cores by number; empty for what is no such list.
std::vector<bool> ParseCoreList(std::string_view text);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_CGROUP_H_
