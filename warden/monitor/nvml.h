#ifndef WARDEN_MONITOR_NVML_H_
#define WARDEN_MONITOR_NVML_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "warden/base/status.h"

namespace warden::monitor {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// What the driver says of one GPU now; NaN for what it does not say.
struct GpuFigures {
  double busy_percent = kNotMeasured;
  double memory_busy_percent = kNotMeasured;
  double memory_used = kNotMeasured;  // Bytes.
  double memory_total = kNotMeasured;
  double power_w = kNotMeasured;
  double power_limit_w = kNotMeasured;
  double temperature_c = kNotMeasured;
  double clock_mhz = kNotMeasured;
  double memory_clock_mhz = kNotMeasured;
  double throttle_reasons = kNotMeasured;
};

// Bytes to and from a GPU since some time before; nothing for what it does not count.
struct GpuTraffic {
  std::optional<uint64_t> pcie_received, pcie_sent, nvlink_received, nvlink_sent;
};

// Bytes a second over the last 20 ms, for drivers that do not count.
struct PcieRates {
  double received = kNotMeasured;
  double sent = kNotMeasured;
};

// NVIDIA's management library, opened at run time: one program works with and without it. For one
// thread; calls may take long, or hang with the driver.
class Nvml {
 public:
  // kNotFound if there is no such library, kUnavailable if it finds no driver; kCorrupt if it lacks
  // what is needed of it.
  static Result<std::unique_ptr<Nvml>> Open(const std::string& library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  unsigned count() const { return count_; }
  GpuFigures Figures(unsigned gpu) const;
  GpuTraffic Traffic(unsigned gpu) const;
  PcieRates MeasurePcie(unsigned gpu) const;  // Takes 40 ms.

 private:
  struct Functions;
  Nvml(void* library, std::unique_ptr<Functions> functions);
  Status Initialize();
  void* Device(unsigned gpu) const;

  void* library_;
  std::unique_ptr<Functions> functions_;
  bool initialized_ = false;
  unsigned count_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_NVML_H_
