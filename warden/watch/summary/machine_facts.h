#ifndef WARDEN_WATCH_SUMMARY_MACHINE_FACTS_H_
#define WARDEN_WATCH_SUMMARY_MACHINE_FACTS_H_

// What a machine did around a moment, as far as it is worth a word: errors, reduced clocks, full
// memory or disks. What happened at the same time need not be the cause, and nothing here says so.
// A healthy machine has no facts. MachineLog reads the samples; incidents show the facts.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/format/metric_line.h"
#include "warden/timeline/profile_files.h"

namespace warden::watch {

// In the order in which they are told.
enum class MachineEvent : uint8_t {
  kGpuError,
  kDiskFull,
  kGpuSlowdown,
  kHostMemory,
  kSwapping,
  kMemoryPressure,
  kGpuMemory,
  kSlowLoader,
};

// "gpu_error", "disk_full", "gpu_slowdown", "host_memory", "swapping", "memory_pressure",
// "gpu_memory", "slow_loader".
std::string_view MachineEventName(MachineEvent event);

// One thing that happened. A plain value.
struct MachineFact {
  MachineEvent event = MachineEvent::kGpuError;
  std::string node;                  // "algo-1"; empty: not known.
  std::vector<std::string> devices;  // "gpu0"; empty: the machine as a whole.
  double value = 0;   // The worst: a number of errors or the XID, NVML's bits, percent, bytes/s.
  double time_s = 0;  // When it was seen first, in seconds since 1970; 0: not known.
  std::string text;   // For people: "GPU 0 slowed down (heat)".
};

// {"event", "node", "devices", "value", "time", "text"}.
Json ToJson(const MachineFact& fact);

// That the training waited for its data loader for this share of the time.
MachineFact SlowLoaderFact(double share);
// From this share on it is worth a word.
inline constexpr double kSlowLoaderShare = 0.5;

// Judges the samples of all machines around one moment. For one thread.
//
//   MachineJudge judge(time_s);
//   format::ReadMetricLines(text, [&](const format::MetricLine& line) { judge.Add(line); });
//   for (const MachineFact& fact : judge.Facts()) Show(fact.text);
class MachineJudge {
 public:
  // time_s: in seconds since 1970. REQUIRES: 0 < time_s < 1e11.
  explicit MachineJudge(double time_s) : time_s_(time_s) {}

  // The samples that it wants: those that count, and some before them to compare counters with.
  timeline::TimeRange range() const;
  // A sample; ignored if it is not in the range. REQUIRES: those of one node come in their order.
  void Add(const format::MetricLine& line);
  // Worst kind first, then by node; at most 20. Devices of a node with the same fact, at most 64,
  // are one.
  std::vector<MachineFact> Facts() const;

 private:
  // What makes samples one fact: event, node, reason.
  struct Key {
    MachineEvent event;
    std::string node;
    std::string reason;
    auto operator<=>(const Key&) const = default;
  };
  struct Seen {
    std::set<std::pair<size_t, std::string>> devices;  // By length first: gpu2 before gpu10.
    double value = 0;
    double time_s = 0;
  };
  // A GPU, by the samples so far.
  struct Gpu {
    double clock_mhz = 0;
    double highest_mhz = 0;
    double lowest_capped_mhz = 0;  // Of samples that count; 0: none was capped.
    double capped_at_s = 0;
    std::map<std::string, double, std::less<>> counts;  // Errors so far, by dimension.
  };
  using Device = std::pair<std::string, std::string>;  // Node and name.

  bool Counts(double time_s) const;
  void AddGpu(const format::MetricLine& line);
  void AddErrors(const format::MetricLine& line, std::string_view reason, Gpu* gpu);
  void AddThrottling(const format::MetricLine& line, Gpu* gpu);
  // value: the largest counts, of errors their sum.
  void Note(MachineEvent event, const format::MetricLine& line, std::string_view reason,
            double value);

  const double time_s_;
  std::set<std::string, std::less<>> nodes_;
  std::map<Device, Gpu> gpus_;
  std::map<std::string, double, std::less<>> disk_used_;  // Percent, by node.
  std::map<Key, Seen> seen_;
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_SUMMARY_MACHINE_FACTS_H_
