#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/targets.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "warden/cli/doctor/checks.h"
#include "warden/os/control_group.h"

namespace warden::cli {
namespace {

constexpr int64_t kFewWatches = 8192;
constexpr int64_t kFewInstances = 16;
constexpr int64_t kFewFiles = 1024;

// A kernel file that holds one number.
std::optional<int64_t> NumberInFile(const char* path) {
  std::ifstream file(path);
  int64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

void CheckCpu(Checks* checks) {
  // Targets are bits; the lowest of those that the processor supports is the best.
  const int64_t targets = hwy::SupportedTargets();
  const char* best = hwy::TargetName(targets & -targets);
  checks->push_back(
      {"processor", Health::kOk,
       fmt::format("{} cores, statistics use {}", sysconf(_SC_NPROCESSORS_ONLN), best), ""});
}

void CheckInotify(Checks* checks) {
  const auto watches = NumberInFile("/proc/sys/fs/inotify/max_user_watches");
  const auto instances = NumberInFile("/proc/sys/fs/inotify/max_user_instances");
  if (!watches || !instances) {
    checks->push_back({"inotify", Health::kMissing, "limits unknown: live runs are polled", ""});
    return;
  }
  const bool few = *watches < kFewWatches || *instances < kFewInstances;
  checks->push_back(
      {"inotify", few ? Health::kWarning : Health::kOk,
       fmt::format("{} watches, {} instances{}", *watches, *instances,
                   few ? "; low, live runs are polled when they run out" : ""),
       few ? fmt::format("sysctl fs.inotify.max_user_watches={} fs.inotify.max_user_instances={}",
                         16 * kFewWatches, 8 * kFewInstances)
           : ""});
}

void CheckFileLimit(Checks* checks) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const bool few = limit.rlim_cur < static_cast<rlim_t>(kFewFiles);
  checks->push_back(
      {"open files", few ? Health::kWarning : Health::kOk,
       limit.rlim_cur == RLIM_INFINITY
           ? "no limit"
           : fmt::format("limit {}{}", limit.rlim_cur, few ? "; low for a busy service" : ""),
       few ? fmt::format("ulimit -n {}", 4 * kFewFiles) : ""});
}

// As a service would find it that is started from here.
void CheckJobLimits(Checks* checks) {
  const os::GroupSupport groups = os::ProbeGroups();
  if (groups.reason.empty()) {
    checks->push_back({"job limits", Health::kOk,
                       fmt::format("{}, by control group", fmt::join(groups.controllers, ", ")),
                       ""});
    return;
  }
  checks->push_back({"job limits", Health::kMissing,
                     fmt::format("{}; jobs of 'warden serve' run {}", groups.reason,
                                 groups.controllers.empty() ? "without limits" : "with fewer"),
                     "systemd-run --user --scope -p Delegate=yes warden serve, or a unit with "
                     "Delegate=yes"});
}

}  // namespace

void CheckMachine(Checks* checks) {
  CheckCpu(checks);
  CheckInotify(checks);
  CheckFileLimit(checks);
  CheckJobLimits(checks);
}

}  // namespace warden::cli
