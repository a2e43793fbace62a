#ifndef WARDEN_MONITOR_GPU_SAMPLER_H_
#define WARDEN_MONITOR_GPU_SAMPLER_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "warden/monitor/nvml.h"

namespace warden::monitor {

struct GpuReading {
  GpuFigures figures;
  double pcie_received = kNotMeasured;  // Bytes a second, as below.
  double pcie_sent = kNotMeasured;
  double nvlink_received = kNotMeasured;
  double nvlink_sent = kNotMeasured;
};

// Asks the driver on a thread of its own. For one thread, which never waits longer than it says.
class GpuSampler {
 public:
  explicit GpuSampler(const std::string& library);
  // Leaves a thread that hangs in the driver to itself.
  ~GpuSampler();
  GpuSampler(const GpuSampler&) = delete;
  GpuSampler& operator=(const GpuSampler&) = delete;

  // Whether there is nothing to ask, now and later.
  bool useless() const;

  // Wants a reading, unless one is under way.
  void Ask();
  // What was asked for, if it comes within that time.
  std::optional<std::vector<GpuReading>> Take(std::chrono::nanoseconds patience);

 private:
  struct Shared;
  static void Work(const std::shared_ptr<Shared>& shared, const std::string& library);

  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_GPU_SAMPLER_H_
