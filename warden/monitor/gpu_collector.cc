// GPUs, as NVIDIA's driver tells of them.
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "warden/monitor/collectors.h"
#include "warden/monitor/gpu_sampler.h"

namespace warden::monitor {
namespace {

constexpr std::chrono::milliseconds kPace(100);
constexpr std::chrono::nanoseconds kMostPatience(20'000'000);

// How often is written what has not changed.
constexpr int64_t kRareNs = 10'000'000'000;
// A GPU that reports more than that is lost.
constexpr size_t kMostXidsWaiting = 100;
// Slots are never given back.
constexpr size_t kMostPids = 256;

using MetricValue = std::pair<Metric, double>;

std::vector<MetricValue> MetricsOf(const GpuReading& gpu) {
  const GpuState& state = gpu.state;
  return {{Metric::kGpu, state.busy_percent},
          {Metric::kGpuMemory, 100 * state.memory_used / state.memory_total},
          {Metric::kGpuMemoryBusy, state.memory_busy_percent},
          {Metric::kGpuMemoryBytes, state.memory_used},
          {Metric::kGpuPower, state.power_w},
          {Metric::kGpuPowerLimit, state.power_limit_w},
          {Metric::kGpuTemperature, state.temperature_c},
          {Metric::kGpuClock, state.clock_mhz},
          {Metric::kGpuMemoryClock, state.memory_clock_mhz},
          {Metric::kGpuThrottleReasons, state.throttle_reasons},
          {Metric::kGpuPcieReceive, gpu.pcie_received},
          {Metric::kGpuPcieTransmit, gpu.pcie_sent},
          {Metric::kGpuNvlinkReceive, gpu.nvlink_received},
          {Metric::kGpuNvlinkTransmit, gpu.nvlink_sent}};
}

// What the driver averages over a while, and repeats until it has measured again.
bool IsUtilization(Metric metric) {
  return metric == Metric::kGpu || metric == Metric::kGpuMemoryBusy;
}

double OrNotMeasured(const std::optional<uint64_t>& count) {
  return count ? static_cast<double>(*count) : kNotMeasured;
}

std::vector<MetricValue> RareMetricsOf(const GpuReading& gpu) {
  return {{Metric::kGpuEccCorrected, OrNotMeasured(gpu.errors.corrected)},
          {Metric::kGpuEccUncorrected, OrNotMeasured(gpu.errors.uncorrected)},
          {Metric::kGpuRefresh, gpu.refresh_s}};
}

// Whether each change matters. The measured interval varies a little all the time.
bool IsCount(Metric metric) { return metric != Metric::kGpuRefresh; }

class GpuCollector : public Collector {
 public:
  explicit GpuCollector(std::string library) : library_(std::move(library)) {}

  // The driver's own numbers are older than that; an answer that is late is taken as soon as it is
  // there.
  std::chrono::milliseconds pace() const override {
    return waiting_ ? std::chrono::milliseconds(0) : kPace;
  }

  void Collect(const Moment& now, Slots* slots, Tick* tick) override {
    if (!sampler_) sampler_.emplace(library_);
    if (sampler_->useless()) {
      waiting_ = false;
      return;
    }
    if (!waiting_) sampler_->Ask();
    const auto readings = sampler_->Take(std::min(now.interval / 4, kMostPatience));
    waiting_ = !readings.has_value();
    if (!readings) return;
    for (const GpuReading& gpu : *readings) {
      const std::string name = "gpu" + std::to_string(gpu.number);
      for (const auto& [metric, value] : MetricsOf(gpu)) {
        // Only what is measured is ever told of.
        if (value != value) continue;
        const SlotId slot = slots->Of(metric, name);
        if (!gpu.updated && IsUtilization(metric) && IsRepeated(slot, value)) continue;
        if (IsUtilization(metric)) written_[slot] = {value, now.ns};
        tick->Put(slot, value);
      }
      PutRare(now, gpu, name, slots, tick);
    }
  }

  // A driver may have been loaded meanwhile.
  void Restart() override {
    sampler_.reset();
    waiting_ = false;
    written_.clear();
  }

 private:
  struct Written {
    double value = 0;
    int64_t at_ns = 0;
  };

  bool IsRepeated(SlotId slot, double value) const {
    const auto written = written_.find(slot);
    return written != written_.end() && written->second.value == value;
  }

  // What hardly ever changes.
  void PutRare(const Moment& now, const GpuReading& gpu, const std::string& name, Slots* slots,
               Tick* tick) {
    for (const auto& [metric, value] : RareMetricsOf(gpu)) {
      if (value != value) continue;
      const SlotId slot = slots->Of(metric, name);
      const auto [at, is_first] = written_.try_emplace(slot);
      Written& written = at->second;
      const bool changed = is_first || (IsCount(metric) && value != written.value);
      if (!changed && now.ns - written.at_ns < kRareNs) continue;
      written = {value, now.ns};
      tick->Put(slot, value);
    }
    // A sample has one value of each metric: errors that came together follow one another.
    std::deque<uint64_t>& xids = xids_[gpu.number];
    xids.insert(xids.end(), gpu.xids.begin(), gpu.xids.end());
    if (!xids.empty()) {
      tick->Put(slots->Of(Metric::kGpuXid, name), static_cast<double>(xids.front()));
      xids.pop_front();
    }
    if (xids.size() > kMostXidsWaiting) xids.clear();
    for (const GpuProcess& process : gpu.processes) {
      if (!processes_.contains(process.pid) && processes_.size() == kMostPids) continue;
      processes_.insert(process.pid);
      tick->Put(slots->Of(Metric::kGpuProcessMemory, name + ":" + std::to_string(process.pid)),
                static_cast<double>(process.memory));
    }
  }

  const std::string library_;
  std::optional<GpuSampler> sampler_;
  bool waiting_ = false;
  std::map<SlotId, Written> written_;
  std::map<unsigned, std::deque<uint64_t>> xids_;  // Not written yet, by GPU.
  std::set<unsigned> processes_;                   // All that have slots.
};

}  // namespace

std::unique_ptr<Collector> MakeGpuCollector(const std::string& library) {
  return std::make_unique<GpuCollector>(library);
}

}  // namespace warden::monitor
