#include "warden/jobs/launch/process_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "warden/base/strings.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::milliseconds kLook{10};
constexpr int kLooks = 500;

// Where groups of version 2 are mounted; empty if they are not.
std::string MountOfGroups() {
  for (const std::string& line :
       SplitTrimmed(os::ReadWholeFile("/proc/self/mounts").value_or(""), '\n')) {
    const auto fields = SplitTrimmed(line, ' ');
    if (fields.size() > 2 && fields[2] == "cgroup2") return fields[1];
  }
  return "";
}

// The group that we are in, from the mount on.
std::string OwnGroup() {
  for (const std::string& line :
       SplitTrimmed(os::ReadWholeFile("/proc/self/cgroup").value_or(""), '\n')) {
    if (line.starts_with("0::/")) return line.substr(3);
  }
  return "";
}

}  // namespace

std::optional<ProcessGroup> ProcessGroup::Make(const std::string& name) {
  const std::string mount = MountOfGroups();
  const std::string own = OwnGroup();
  if (mount.empty() || own.empty()) return std::nullopt;
  ProcessGroup group(
      fmt::format("{}{}{}warden-{}", mount, own, own.ends_with('/') ? "" : "/", name));
  if (mkdir(group.folder_.c_str(), 0755) != 0) return std::nullopt;
  // Older kernels cannot kill a group at once.
  const bool kills = access((group.folder_ + "/cgroup.kill").c_str(), W_OK) == 0;
  group.members_ =
      os::UniqueFd(open((group.folder_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (kills && group.members_.ok()) return group;
  rmdir(group.folder_.c_str());
  return std::nullopt;
}

std::string ProcessGroup::Limit(uint64_t memory_bytes, uint64_t processes, int64_t cpus) {
  std::string failed;
  const auto set = [&](const char* name, uint64_t value) {
    const std::string text = fmt::format("{}", value);
    const os::UniqueFd file(open((folder_ + "/" + name).c_str(), O_WRONLY | O_CLOEXEC));
    const bool done = file.ok() && write(file.get(), text.data(), text.size()) ==
                                       static_cast<ssize_t>(text.size());
    if (!done) failed += (failed.empty() ? "" : ", ") + std::string(name);
  };
  if (memory_bytes > 0) set("memory.max", memory_bytes);
  if (processes > 0) set("pids.max", processes);
  // The kernel's usual weight is 100.
  if (cpus > 0) set("cpu.weight", static_cast<uint64_t>(std::clamp<int64_t>(cpus * 25, 1, 10'000)));
  return failed;
}

void ProcessGroup::Kill() {
  const os::UniqueFd kill(open((folder_ + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC));
  if (!kill.ok()) return;
  (void)!write(kill.get(), "1", 1);
  for (int look = 0; look < kLooks && rmdir(folder_.c_str()) != 0; ++look) {
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace warden::jobs
