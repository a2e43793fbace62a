#include "warden/jobs/launch/process_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "warden/base/strings.h"
#include "warden/os/control_group.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr int kTries = 3;
constexpr double kBytesOfGiB = 1 << 30;

// Of a line "oom_kill 1"; 0 if there is none.
int64_t EventsIn(const std::string& path, const std::string& name) {
  for (const std::string& line : SplitTrimmed(os::ReadWholeFile(path).value_or(""), '\n')) {
    if (line.starts_with(name + " ")) return ParseInt(line.substr(name.size() + 1)).value_or(0);
  }
  return 0;
}

}  // namespace

std::optional<ProcessGroup> ProcessGroup::Make(const std::string& name) {
  const std::string given = os::GivenGroup();
  if (given.empty()) return std::nullopt;
  // A service that begins may take one that is not held yet for abandoned.
  for (int tries = 0; tries < kTries; ++tries) {
    ProcessGroup group(fmt::format("{}/{}{}", given, os::kJobGroupPrefix, name));
    if (mkdir(group.folder_.c_str(), 0755) != 0) return std::nullopt;
    group.held_ = os::UniqueFd(open(group.folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool held = group.held_.ok() && flock(group.held_.get(), LOCK_EX | LOCK_NB) == 0;
    // Older kernels cannot kill a group at once.
    const bool kills = access((group.folder_ + "/cgroup.kill").c_str(), W_OK) == 0;
    group.members_ =
        os::UniqueFd(open((group.folder_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (held && kills && group.members_.ok()) return group;
    rmdir(group.folder_.c_str());
  }
  return std::nullopt;
}

std::string ProcessGroup::Limit(const InstanceLimits& limits) {
  limits_ = limits;
  std::string failed;
  const auto set = [&](const char* name, uint64_t value) {
    const std::string text = fmt::format("{}", value);
    const os::UniqueFd file(open((folder_ + "/" + name).c_str(), O_WRONLY | O_CLOEXEC));
    return file.ok() &&
           write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  };
  const auto limit = [&](const char* name, uint64_t value) {
    if (value > 0 && !set(name, value)) failed += (failed.empty() ? "" : ", ") + std::string(name);
  };
  limit("memory.max", limits.memory_bytes);
  limit("pids.max", limits.processes);
  // The kernel's usual weight is 100.
  constexpr int64_t kMostWeight = 10'000;
  limit("cpu.weight", static_cast<uint64_t>(std::clamp<int64_t>(limits.cpus * 25, 0, kMostWeight)));
  if (limits.memory_bytes > 0) {
    // Instances have no swap, and a training that has lost one of its processes may wait for ever.
    (void)set("memory.swap.max", 0);
    (void)set("memory.oom.group", 1);
  }
  return failed;
}

std::string ProcessGroup::Trouble() const {
  if (trouble_) return *trouble_;
  const std::string memory = folder_ + "/memory.events";
  if (EventsIn(memory, "oom_kill") > 0) {
    if (EventsIn(memory, "oom") == 0) {
      return "the training was killed because this machine ran out of memory";
    }
    return fmt::format(
        "the training was killed because it ran out of memory: its instance type and this machine "
        "allow {:.2f} GiB",
        static_cast<double>(limits_.memory_bytes) / kBytesOfGiB);
  }
  if (EventsIn(folder_ + "/pids.events", "max") > 0) {
    return fmt::format(
        "the training could not start more processes and threads: its instance type and this "
        "machine allow {}",
        limits_.processes);
  }
  return "";
}

void ProcessGroup::Kill() {
  if (!trouble_) trouble_ = Trouble();
  os::EndGroup(folder_);
}

}  // namespace warden::jobs
