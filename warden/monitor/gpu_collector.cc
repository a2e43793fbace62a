// GPUs, as NVIDIA's driver tells of them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "warden/monitor/collectors.h"
#include "warden/monitor/gpu_sampler.h"

namespace warden::monitor {
namespace {

constexpr std::chrono::milliseconds kPace(100);
constexpr std::chrono::nanoseconds kMostPatience(20'000'000);

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
    for (size_t i = 0; i < readings->size(); ++i) {
      const std::string name = "gpu" + std::to_string(i);
      for (const auto& [metric, value] : MetricsOf((*readings)[i])) {
        // Only what is measured is ever told of.
        if (value == value) tick->Put(slots->Of(metric, name), value);
      }
    }
  }

  // A driver may have been loaded meanwhile.
  void Restart() override {
    sampler_.reset();
    waiting_ = false;
  }

 private:
  const std::string library_;
  std::optional<GpuSampler> sampler_;
  bool waiting_ = false;
};

}  // namespace

std::unique_ptr<Collector> MakeGpuCollector(const std::string& library) {
  return std::make_unique<GpuCollector>(library);
}

}  // namespace warden::monitor
