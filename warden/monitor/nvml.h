#ifndef WARDEN_MONITOR_NVML_H_
#define WARDEN_MONITOR_NVML_H_

// What NVIDIA's driver reports about GPUs. GpuSampler asks it on a separate thread; nothing else
// should use it directly, since a call may hang.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/monitor/visible_gpus.h"

namespace warden::monitor {

// Marks a value that the driver does not report.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// The state of one GPU now; NaN for what the driver does not report. Doubles for all, so that "not
// reported" needs no second member.
struct GpuState {
  // 0 to 100, of the driver's last sampling period.
  double busy_percent = kNotMeasured;
  double memory_busy_percent = kNotMeasured;
  // Bytes, as is the total.
  double memory_used = kNotMeasured;
  double memory_total = kNotMeasured;
  double power_w = kNotMeasured;
  double power_limit_w = kNotMeasured;
  double temperature_c = kNotMeasured;
  // Of the multiprocessors.
  double clock_mhz = kNotMeasured;
  double memory_clock_mhz = kNotMeasured;
  // NVML's bits, as a number: see Metric::kGpuThrottleReasons.
  double throttle_reasons = kNotMeasured;
};

// Bytes to and from a GPU since some fixed time in the past: only differences mean something.
// Nothing for what it does not count.
struct GpuTraffic {
  std::optional<uint64_t> pcie_received, pcie_sent, nvlink_received, nvlink_sent;
};

// Bytes per second over the last 20 ms, for drivers that do not count.
struct PcieRates {
  double received = kNotMeasured;
  double sent = kNotMeasured;
};

// Errors of a GPU's memory since the driver was loaded; nothing without ECC.
struct GpuErrorCounts {
  std::optional<uint64_t> corrected, uncorrected;
};

// A process that computes on a GPU, under the number that the driver knows it by.
struct GpuProcess {
  unsigned pid = 0;
  uint64_t memory = 0;  // Bytes.
};

// An error that the driver has reported, by NVIDIA's list of XIDs.
struct XidError {
  unsigned gpu = 0;
  uint64_t xid = 0;
};

// Updates of the driver's utilization, by its own clock in microseconds.
struct GpuUpdates {
  uint64_t newest_us = 0;
  uint64_t oldest_us = 0;
  unsigned count = 0;  // 0: none since then.
};

// NVIDIA's management library, opened at run time: the same binary works with and without it. For
// one thread; calls may take long, or hang with the driver. Functions that only newer drivers have
// are optional: what they would report is NaN or nothing.
//
//   const auto nvml = Nvml::Open("libnvidia-ml.so.1");
//   if (nvml.ok() && nvml.value()->count() > 0) power = nvml.value()->State(0).power_w;
class Nvml {
 public:
  // kNotFound if the library cannot be loaded, kUnavailable if it finds no driver; kCorrupt if it
  // does not have the functions that are needed. A machine without GPUs is not an error: count() is
  // 0.
  static Result<std::unique_ptr<Nvml>> Open(const std::string& library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // GPUs are numbered from 0 to count() - 1, as the driver numbers them; fixed when it was opened.
  unsigned count() const { return count_; }
  // Their numbers are their positions.
  std::vector<GpuIdentity> Identities() const;
  // All NaN (or nothing) for a GPU that does not exist or fell off the bus, as with the next two.
  GpuState State(unsigned gpu) const;
  // Counters; take the difference of two readings.
  GpuTraffic Traffic(unsigned gpu) const;
  // Blocks for 40 ms; NaN for what the driver does not measure.
  PcieRates MeasurePcie(unsigned gpu) const;
  GpuErrorCounts Errors(unsigned gpu) const;
  // At most 64 of them. A process whose memory is not known is left out.
  std::vector<GpuProcess> Processes(unsigned gpu) const;
  // Since then; nothing for a driver that does not say.
  std::optional<GpuUpdates> UpdatesSince(unsigned gpu, uint64_t last_us) const;
  // From now on, errors of these GPUs are kept for TakeXids. Of those that cannot report any there
  // are none.
  void ListenForXids(const std::vector<unsigned>& gpus);
  // Those since the last call, at most 64. Does not wait.
  std::vector<XidError> TakeXids();

 private:
  struct Functions;
  Nvml(void* library, std::unique_ptr<Functions> functions);
  Status Initialize();
  void* Device(unsigned gpu) const;

  void* library_;
  std::unique_ptr<Functions> functions_;
  bool initialized_ = false;
  unsigned count_ = 0;
  void* xids_ = nullptr;                 // The driver's set of events; null: nobody listens.
  std::map<void*, unsigned> listening_;  // GPUs by their handles.
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_NVML_H_
