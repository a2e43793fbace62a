#include "warden/watch/summary/machine_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "warden/base/json.h"

namespace warden::watch {
namespace {

// What a step has to do with began shortly before it was saved, and may show a little later.
constexpr double kBeforeSeconds = 10;
constexpr double kAfterSeconds = 10;
// Counters are written at least this often.
constexpr double kCounterSeconds = 15;

constexpr double kFullPercent = 95;
constexpr double kSwapRate = 10e6;       // Bytes per second; less is housekeeping.
constexpr double kPressurePercent = 20;  // Of the time in which some task waits for memory.
constexpr double kLeastFreeBytes = 1e9;  // On a disk that is full up to kFullPercent.
constexpr double kCappedClock = 0.8;     // Of the highest; full load alone reaches power limits.
constexpr size_t kMostNamedGpus = 4;

constexpr size_t kLongestName = 64;
constexpr size_t kMostDevices = 64;
constexpr size_t kMostFacts = 20;
constexpr double kLargestValue = 1e15;  // Beyond, a file says nonsense.

// NVML's bits. Idle clocks, clocks that were asked for and synchronized boards are no slowdown.
constexpr uint64_t kPowerCap = 4;
constexpr uint64_t kHardwareSlowdown = 8;
constexpr uint64_t kThermal = 32 | 64;
constexpr uint64_t kPowerBrake = 128;

constexpr std::array<std::string_view, 8> kEventNames = {
    "gpu_error", "disk_full",       "gpu_slowdown", "host_memory",
    "swapping",  "memory_pressure", "gpu_memory",   "slow_loader"};

constexpr std::string_view kHeat = "heat";
constexpr std::string_view kBrake = "power brake";
constexpr std::string_view kHardware = "hardware protection";
constexpr std::string_view kPowerLimit = "power limit";
constexpr std::string_view kUncorrected = "uncorrected";
constexpr std::string_view kCorrected = "corrected";
constexpr std::string_view kXid = "xid ";

// Why clocks are reduced; empty: nothing that alone is remarkable.
std::string_view SlowdownReason(uint64_t bits) {
  if ((bits & kThermal) != 0) return kHeat;
  if ((bits & kPowerBrake) != 0) return kBrake;
  if ((bits & kHardwareSlowdown) != 0) return kHardware;
  return "";
}

// What NVIDIA's list of XIDs says of those that matter in trainings.
std::string_view XidMeaning(int xid) {
  switch (xid) {
    case 13: return "graphics engine exception";
    case 31: return "memory page fault";
    case 43: return "GPU stopped processing";
    case 48: return "double-bit ECC error";
    case 63: return "memory row remapped";
    case 64: return "row remapping failed";
    case 74: return "NVLink error";
    case 79: return "fell off the bus";
    case 92: return "high rate of corrected ECC errors";
    case 94: return "contained ECC error";
    case 95: return "uncontained ECC error";
    case 119:
    case 120: return "GPU system processor error";
    default: return "";
  }
}

bool IsXid(double value) { return value > 0 && value < 1e6; }

bool IsGpuName(std::string_view name) {
  return name.size() > 3 && name.starts_with("gpu") &&
         name.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

// "GPU 0", "GPUs 0 and 3", "8 GPUs"; other names as they are.
std::string DevicesText(const std::vector<std::string>& devices) {
  if (devices.size() > kMostNamedGpus) return fmt::format("{} GPUs", devices.size());
  if (!std::all_of(devices.begin(), devices.end(), IsGpuName)) {
    return fmt::format("{}", fmt::join(devices, ", "));
  }
  std::string text = devices.size() == 1 ? "GPU " : "GPUs ";
  for (size_t i = 0; i < devices.size(); ++i) {
    if (i > 0) text += i + 1 == devices.size() ? " and " : ", ";
    text += devices[i].substr(3);
  }
  return text;
}

std::string GpuErrorText(const std::string& reason, const std::string& gpus, double value) {
  const auto count = static_cast<int64_t>(value);
  if (reason.starts_with(kXid)) {
    const std::string_view meaning = XidMeaning(static_cast<int>(value));
    return fmt::format("{} reported error XID {}{}{}{}", gpus, count, meaning.empty() ? "" : " (",
                       meaning, meaning.empty() ? "" : ")");
  }
  return fmt::format("{} had {} {} memory error{}", gpus, count, reason, count == 1 ? "" : "s");
}

std::string FactText(MachineEvent event, const std::string& reason, const std::string& gpus,
                     double value) {
  switch (event) {
    case MachineEvent::kGpuError: return GpuErrorText(reason, gpus, value);
    case MachineEvent::kDiskFull:
      return fmt::format("disk of the run full ({:.3g} MB free)", value / 1e6);
    case MachineEvent::kGpuSlowdown: return fmt::format("{} slowed down ({})", gpus, reason);
    case MachineEvent::kHostMemory: return fmt::format("host memory {:.0f} % full", value);
    case MachineEvent::kSwapping: return fmt::format("swapping {:.3g} MB/s", value / 1e6);
    case MachineEvent::kMemoryPressure:
      return fmt::format("processes waited for memory {:.0f} % of the time", value);
    case MachineEvent::kGpuMemory: return fmt::format("GPU memory {:.0f} % full ({})", value, gpus);
    case MachineEvent::kSlowLoader: break;
  }
  return fmt::format("data loader took {:.0f} % of the step time", 100 * value);
}

}  // namespace

std::string_view MachineEventName(MachineEvent event) {
  return kEventNames[static_cast<size_t>(event)];
}

Json ToJson(const MachineFact& fact) {
  return {{"event", MachineEventName(fact.event)},
          {"node", fact.node},
          {"devices", fact.devices},
          {"value", fact.value},
          {"time", fact.time_s},
          {"text", fact.text}};
}

MachineFact SlowLoaderFact(double share) {
  return {MachineEvent::kSlowLoader,
          "",
          {},
          share,
          0,
          FactText(MachineEvent::kSlowLoader, "", "", share)};
}

timeline::TimeRange MachineJudge::range() const {
  const auto us = [](double seconds) { return static_cast<int64_t>(seconds * 1e6); };
  return {us(time_s_ - kBeforeSeconds - kCounterSeconds), us(time_s_ + kAfterSeconds)};
}

bool MachineJudge::Counts(double time_s) const {
  return time_s >= time_s_ - kBeforeSeconds && time_s <= time_s_ + kAfterSeconds;
}

void MachineJudge::Add(const format::MetricLine& line) {
  const bool in_range = line.time_s >= time_s_ - kBeforeSeconds - kCounterSeconds &&
                        line.time_s <= time_s_ + kAfterSeconds;
  const bool sane = std::abs(line.value) < kLargestValue && line.node.size() <= kLongestName &&
                    line.name.size() <= kLongestName;
  if (!in_range || !sane) return;
  if (!nodes_.contains(line.node)) nodes_.emplace(line.node);
  const bool counts = Counts(line.time_s);
  if (line.type == "gpu" || line.type == "accelerator") {
    AddGpu(line);
  } else if (line.name == "MemoryUsedPercent") {
    if (counts && line.value >= kFullPercent) Note(MachineEvent::kHostMemory, line, "", line.value);
  } else if (line.type == "swap" && line.name.ends_with("BytesPerSecond")) {
    if (counts && line.value >= kSwapRate) Note(MachineEvent::kSwapping, line, "", line.value);
  } else if (line.type == "pressure" && line.name == "memory" && line.dimension == "SomePercent") {
    if (counts && line.value >= kPressurePercent) {
      Note(MachineEvent::kMemoryPressure, line, "", line.value);
    }
  } else if (line.type == "space" && line.dimension == "UsedPercent") {
    disk_used_[std::string(line.node)] = line.value;
  } else if (line.type == "space" && line.dimension == "FreeBytes") {
    const auto used = disk_used_.find(line.node);
    const bool full = used != disk_used_.end() && used->second >= kFullPercent;
    if (counts && full && line.value < kLeastFreeBytes) {
      Note(MachineEvent::kDiskFull, line, "", line.value);
    }
  }
}

void MachineJudge::AddGpu(const format::MetricLine& line) {
  if (line.dimension == "GPUMemoryUtilization") {
    if (Counts(line.time_s) && line.value >= kFullPercent) {
      Note(MachineEvent::kGpuMemory, line, "", line.value);
    }
    return;
  }
  if (line.type != "accelerator") return;
  Gpu& gpu = gpus_[{std::string(line.node), std::string(line.name)}];
  if (line.dimension == "ClockMHz") {
    gpu.clock_mhz = line.value;
    gpu.highest_mhz = std::max(gpu.highest_mhz, line.value);
  } else if (line.dimension == "ThrottleReasons") {
    AddThrottling(line, &gpu);
  } else if (line.dimension == "EccUncorrectedErrors") {
    AddErrors(line, kUncorrected, &gpu);
  } else if (line.dimension == "EccCorrectedErrors") {
    AddErrors(line, kCorrected, &gpu);
  } else if (line.dimension == "XidError" && Counts(line.time_s) && IsXid(line.value)) {
    Note(MachineEvent::kGpuError, line, fmt::format("{}{}", kXid, line.value), line.value);
  }
}

// Counters grow from the start of the driver on.
void MachineJudge::AddErrors(const format::MetricLine& line, std::string_view reason, Gpu* gpu) {
  const auto before = gpu->counts.find(line.dimension);
  if (before == gpu->counts.end()) {
    gpu->counts.emplace(line.dimension, line.value);
    return;
  }
  const double grown = line.value - before->second;
  before->second = line.value;
  if (grown > 0 && Counts(line.time_s)) Note(MachineEvent::kGpuError, line, reason, grown);
}

void MachineJudge::AddThrottling(const format::MetricLine& line, Gpu* gpu) {
  if (!Counts(line.time_s) || line.value < 0) return;
  const auto bits = static_cast<uint64_t>(line.value);
  if (const std::string_view reason = SlowdownReason(bits); !reason.empty()) {
    Note(MachineEvent::kGpuSlowdown, line, reason, line.value);
  } else if ((bits & kPowerCap) != 0 && gpu->clock_mhz > 0) {
    if (gpu->lowest_capped_mhz == 0 || gpu->clock_mhz < gpu->lowest_capped_mhz) {
      gpu->lowest_capped_mhz = gpu->clock_mhz;
      gpu->capped_at_s = line.time_s;
    }
  }
}

void MachineJudge::Note(MachineEvent event, const format::MetricLine& line, std::string_view reason,
                        double value) {
  const auto [at, is_new] = seen_.try_emplace({event, std::string(line.node), std::string(reason)});
  Seen& seen = at->second;
  if (is_new) {
    seen.value = value;
    seen.time_s = line.time_s;
  } else if (event == MachineEvent::kGpuError && !reason.starts_with(kXid)) {
    seen.value += value;
  } else if (event == MachineEvent::kDiskFull) {
    seen.value = std::min(seen.value, value);
  } else {
    seen.value = std::max(seen.value, value);
  }
  seen.time_s = std::min(seen.time_s, line.time_s);
  const bool of_device = line.type == "gpu" || line.type == "accelerator";
  if (of_device && seen.devices.size() < kMostDevices) {
    seen.devices.emplace(line.name.size(), line.name);
  }
}

std::vector<MachineFact> MachineJudge::Facts() const {
  std::map<Key, Seen> all = seen_;
  for (const auto& [device, gpu] : gpus_) {
    const bool capped =
        gpu.lowest_capped_mhz > 0 && gpu.lowest_capped_mhz < kCappedClock * gpu.highest_mhz;
    if (!capped) continue;
    const auto [at, is_new] =
        all.try_emplace(Key{MachineEvent::kGpuSlowdown, device.first, std::string(kPowerLimit)});
    Seen& seen = at->second;
    seen.value = kPowerCap;
    seen.time_s = is_new ? gpu.capped_at_s : std::min(seen.time_s, gpu.capped_at_s);
    seen.devices.emplace(device.second.size(), device.second);
  }
  std::vector<MachineFact> facts;
  for (const auto& [key, seen] : all) {  // They are sorted by event, then node.
    if (facts.size() == kMostFacts) break;
    MachineFact fact{key.event, key.node, {}, seen.value, seen.time_s, ""};
    for (const auto& [size, device] : seen.devices) fact.devices.push_back(device);
    fact.text = FactText(key.event, key.reason, DevicesText(fact.devices), seen.value);
    if (nodes_.size() > 1) fact.text = fmt::format("{}: {}", key.node, fact.text);
    facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace warden::watch
