#include "warden/jobs/launch/instance_limits.h"

#include <algorithm>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/job_files.h"

namespace warden::jobs {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;
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
  return {static_cast<uint64_t>(gib * static_cast<double>(kGiB)), cpus};
}

InstanceLimits LimitsOfHost(const TrainingJob& job, const std::string& host) {
  return LimitsOfInstance(TextOf(MemberOf(ResourceConfigOf(job, host), "current_instance_type")));
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
