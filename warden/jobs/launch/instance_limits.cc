#include "warden/jobs/launch/instance_limits.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/job_files.h"
#include "warden/monitor/cgroup.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;
// Libraries start a thread for each processor in each of many processes.
constexpr uint64_t kProcessesForCpu = 4096;
constexpr uint64_t kMostProcesses = 32'768;
// The smallest part of a disk that a file takes.
constexpr uint64_t kDiskBlock = 4096;

// Memory of a family's instances for each processor.
struct Family {
  std::string_view prefix;  // Of the family's name; the first that matches counts.
  double gib_for_cpu;
};
constexpr Family kFamilies[] = {{"p2", 15.25}, {"p3dn", 8}, {"p3", 7.625}, {"p4", 12},
                                {"p5", 10.67}, {"g4dn", 4}, {"g5", 4},     {"g6", 4},
                                {"trn", 16},   {"inf", 2},  {"t3", 4},     {"t2", 4},
                                {"m", 4},      {"c", 2},    {"r", 8},      {"x", 16}};

int64_t CpusOfSize(const std::string& size) {
  if (size == "medium") return 1;
  if (size == "large") return 2;
  if (size == "xlarge") return 4;
  if (!size.ends_with("xlarge")) return 0;
  const auto times = ParseInt(size.substr(0, size.size() - 6));
  return times && *times > 0 && *times <= 1000 ? 4 * *times : 0;
}

uint64_t NumberIn(const char* path) {
  const auto number = ParseInt(Trim(os::ReadWholeFile(path).value_or("")));
  return number && *number > 0 ? static_cast<uint64_t>(*number) : kMostProcesses;
}

// 0: no limit.
uint64_t Tighter(uint64_t a, uint64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); }

InstanceLimits ThisMachine() {
  InstanceLimits machine;
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  if (pages > 0) {
    machine.memory_bytes = static_cast<uint64_t>(pages) * static_cast<uint64_t>(getpagesize());
  }
  // Of a container, too.
  const auto limit = monitor::FindMemoryLimit("", machine.memory_bytes);
  if (limit) machine.memory_bytes = limit->bytes;
  machine.processes =
      std::min(NumberIn("/proc/sys/kernel/threads-max"), NumberIn("/proc/sys/kernel/pid_max"));
  return machine;
}

}  // namespace

InstanceLimits LimitsOfInstance(const std::string& type) {
  const auto parts = SplitTrimmed(type, '.');
  if (parts.size() != 3 || parts[0] != "ml") return {};
  const auto* family =
      std::find_if(std::begin(kFamilies), std::end(kFamilies),
                   [&](const Family& each) { return parts[1].starts_with(each.prefix); });
  const int64_t cpus = CpusOfSize(parts[2]);
  if (family == std::end(kFamilies) || cpus == 0) return {};
  const double gib = family->gib_for_cpu * static_cast<double>(cpus);
  return {static_cast<uint64_t>(gib * static_cast<double>(kGiB)), cpus,
          std::min(static_cast<uint64_t>(cpus) * kProcessesForCpu, kMostProcesses)};
}

InstanceLimits WithinMachine(const InstanceLimits& wanted, const InstanceLimits& machine) {
  const uint64_t memory = machine.memory_bytes;
  const uint64_t kept = std::max(memory / 8, std::min(memory / 2, kGiB / 2));
  return {Tighter(wanted.memory_bytes, memory - kept), wanted.cpus,
          Tighter(wanted.processes, machine.processes / 2)};
}

InstanceLimits LimitsOfHost(const TrainingJob& job, const std::string& host) {
  const std::string type = TextOf(MemberOf(ResourceConfigOf(job, host), "current_instance_type"));
  return WithinMachine(LimitsOfInstance(type), ThisMachine());
}

ExtractLimits LimitsOfVolume(const TrainingJob& job) {
  ExtractLimits limits;
  const int64_t size = IntegerOf(MemberOf(job.request, "ResourceConfig", "VolumeSizeInGB"));
  if (size <= 0 || size > (int64_t{1} << 30)) return limits;
  limits.bytes = static_cast<uint64_t>(size) * kGiB;
  limits.entries = std::min(limits.entries, limits.bytes / kDiskBlock);
  return limits;
}

}  // namespace warden::jobs
