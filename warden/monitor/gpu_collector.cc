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

using Figure = std::pair<Metric, double>;

std::vector<Figure> FiguresOf(const GpuReading& gpu) {
  const GpuFigures& figures = gpu.figures;
  return {{Metric::kGpu, figures.busy_percent},
          {Metric::kGpuMemory, 100 * figures.memory_used / figures.memory_total},
          {Metric::kGpuMemoryBusy, figures.memory_busy_percent},
          {Metric::kGpuMemoryBytes, figures.memory_used},
          {Metric::kGpuPower, figures.power_w},
          {Metric::kGpuPowerLimit, figures.power_limit_w},
          {Metric::kGpuTemperature, figures.temperature_c},
          {Metric::kGpuClock, figures.clock_mhz},
          {Metric::kGpuMemoryClock, figures.memory_clock_mhz},
          {Metric::kGpuThrottleReasons, figures.throttle_reasons},
          {Metric::kGpuPcieReceive, gpu.pcie_received},
          {Metric::kGpuPcieTransmit, gpu.pcie_sent},
          {Metric::kGpuNvlinkReceive, gpu.nvlink_received},
          {Metric::kGpuNvlinkTransmit, gpu.nvlink_sent}};
}

class GpuCollector : public Collector {
 public:
  explicit GpuCollector(std::string library) : library_(std::move(library)) {}

  // The driver's own figures are older than that; an answer that is late is taken as soon as it is
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
      for (const auto& [metric, value] : FiguresOf((*readings)[i])) {
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
