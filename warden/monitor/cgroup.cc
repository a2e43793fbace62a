#include "warden/monitor/cgroup.h"

#include <algorithm>

#include "warden/base/strings.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"
#include "warden/os/posix.h"

namespace warden::monitor {
namespace {

constexpr size_t kMostLevels = 64;

// The folder of the group, then those above it up to the mount. Where a container sees the names
// that its groups have outside, only the mount itself is there.
std::vector<std::string> Upwards(const std::string& mount, std::string_view path) {
  std::vector<std::string> folders;
  if (path.find("..") != std::string_view::npos) path = "/";
  while (path.size() > 1 && folders.size() < kMostLevels) {
    folders.push_back(mount + std::string(path));
    path = path.substr(0, path.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

struct Groups {
  std::vector<std::string> folders;
  bool unified = false;  // Version 2.
};

// Of the hierarchy that has this controller. A controller is in one of them only.
Groups FindGroups(const std::string& root, std::string_view controller) {
  const std::string mounts = root + "/sys/fs/cgroup";
  const std::string text = ReadSmallFile(root + "/proc/self/cgroup");
  std::string_view left = text;
  Groups found;
  while (!left.empty()) {
    std::string_view line = TakeLine(&left);
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view names = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (names.empty()) {
      const bool hybrid = !os::PathExists(mounts + "/cgroup.controllers");
      if (found.folders.empty())
        found = {Upwards(hybrid ? mounts + "/unified" : mounts, path), true};
      continue;
    }
    const auto list = SplitTrimmed(names, ',');
    if (std::find(list.begin(), list.end(), controller) == list.end()) continue;
    const std::string together = mounts + "/" + std::string(names);
    const std::string alone = mounts + "/" + std::string(controller);
    return {Upwards(os::PathExists(together) ? together : alone, path), false};
  }
  return found;
}

std::optional<uint64_t> ReadCount(const std::string& path) {
  const std::string text = ReadSmallFile(path);
  return ParseCount(Trim(text));
}

// "max 100000" or "200000 100000" of version 2, two files of version 1; "max" and -1 are no limit.
std::optional<double> ReadQuota(const std::string& folder, bool unified) {
  std::string text = unified ? ReadSmallFile(folder + "/cpu.max")
                             : ReadSmallFile(folder + "/cpu.cfs_quota_us") + " " +
                                   ReadSmallFile(folder + "/cpu.cfs_period_us");
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string_view left = text;
  const auto quota = TakeCount(&left);
  const auto period = TakeCount(&left);
  if (!quota || !period || *quota == 0 || *period == 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

std::optional<MemoryLimit> FindMemoryLimit(const std::string& root, uint64_t machine_bytes) {
  const Groups groups = FindGroups(root, "memory");
  std::optional<MemoryLimit> tightest;
  for (const std::string& folder : groups.folders) {
    const auto bytes =
        ReadCount(folder + (groups.unified ? "/memory.max" : "/memory.limit_in_bytes"));
    if (!bytes || *bytes == 0 || *bytes >= machine_bytes) continue;
    if (tightest && *bytes >= tightest->bytes) continue;
    tightest = MemoryLimit{
        *bytes, folder + (groups.unified ? "/memory.current" : "/memory.usage_in_bytes"),
        folder + "/memory.stat", groups.unified ? "inactive_file" : "total_inactive_file"};
  }
  return tightest;
}

std::optional<CpuLimit> FindCpuLimit(const std::string& root) {
  const Groups groups = FindGroups(root, "cpu");
  const Groups times = groups.unified ? groups : FindGroups(root, "cpuacct");
  std::optional<CpuLimit> tightest;
  for (size_t i = 0; i < groups.folders.size(); ++i) {
    const std::string& folder = groups.folders[i];
    const auto cores = ReadQuota(folder, groups.unified);
    if (!cores || (tightest && *cores >= tightest->cores)) continue;
    tightest = CpuLimit{*cores, folder + "/cpu.stat", "usage_usec", 1e-6, folder + "/cpu.stat"};
    if (groups.unified || i >= times.folders.size()) continue;
    tightest->usage_file = times.folders[i] + "/cpuacct.usage";
    tightest->usage_key.clear();
    tightest->usage_unit_s = 1e-9;
  }
  return tightest;
}

std::vector<bool> ParseCoreList(std::string_view text) {
  std::vector<bool> cores;
  for (const std::string& range : SplitTrimmed(Trim(text), ',')) {
    const size_t dash = range.find('-');
    const auto first = ParseCount(std::string_view(range).substr(0, dash));
    const auto last = dash == std::string::npos ? first : ParseCount(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= kMostCores) return {};
    if (cores.size() <= *last) cores.resize(*last + 1);
    std::fill(cores.begin() + static_cast<ptrdiff_t>(*first),
              cores.begin() + static_cast<ptrdiff_t>(*last) + 1, true);
  }
  return cores;
}

std::vector<bool> FindCores(const std::string& root) {
  const Groups groups = FindGroups(root, "cpuset");
  for (const std::string& folder : groups.folders) {
    for (const char* name : {"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"}) {
      std::vector<bool> cores = ParseCoreList(ReadSmallFile(folder + name));
      if (!cores.empty()) return cores;
    }
  }
  return {};
}

}  // namespace warden::monitor
