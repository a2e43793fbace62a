#ifndef WARDEN_MONITOR_GPU_SAMPLER_H_
#define WARDEN_MONITOR_GPU_SAMPLER_H_

// Readings of all GPUs without waiting for the driver, which may take long or hang. Used by the GPU
// collector; nvml.h asks the driver.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "warden/monitor/nvml.h"

namespace warden::monitor {

// One GPU at one time.
struct GpuReading {
  unsigned number = 0;  // As the driver counts.
  GpuState state;
  // Whether the driver has measured its utilization since the last reading.
  bool updated = true;
  double refresh_s = kNotMeasured;  // Between two such updates; NaN: not known yet.
  GpuErrorCounts errors;
  std::vector<uint64_t> xids;         // Errors since the last reading, in their order.
  std::vector<GpuProcess> processes;  // Once a second; empty in between.
  // Bytes per second since the last reading, as are the next three; NaN at the first reading, and
  // for what the driver does not count.
  double pcie_received = kNotMeasured;
  double pcie_sent = kNotMeasured;
  double nvlink_received = kNotMeasured;
  double nvlink_sent = kNotMeasured;
};

// Asks the driver on a separate thread. For one thread, which never waits longer than it asked for.
//
//   GpuSampler gpus(kNvmlLibrary);
//   gpus.Ask();
//   if (const auto readings = gpus.Take(std::chrono::milliseconds(20))) Use(*readings);
class GpuSampler {
 public:
  // Returns at once; the library is opened on the thread. Without a library, a driver or a GPU this
  // that the job may use this becomes useless(). Without a thread too, with a warning.
  explicit GpuSampler(const std::string& library);
  // Waits 30 ms at most. A thread that hangs in the driver is left behind, and owns what it uses.
  ~GpuSampler();
  GpuSampler(const GpuSampler&) = delete;
  GpuSampler& operator=(const GpuSampler&) = delete;

  // Whether there is nothing to ask, now and later. May become true at any time after the start.
  bool useless() const;

  // Requests a reading, unless one is in progress. Does not wait.
  void Ask();
  // The reading that was asked for, GPUs that the job may use by their number, if it comes within
  // that time. Otherwise call it again later, without Ask; a reading is handed out once.
  std::optional<std::vector<GpuReading>> Take(std::chrono::nanoseconds patience);

 private:
  // Owned together with the thread, which may outlive this if the driver hangs.
  struct Shared;
  static void Work(const std::shared_ptr<Shared>& shared, const std::string& library);

  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_GPU_SAMPLER_H_
