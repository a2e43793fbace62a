#ifndef WARDEN_MONITOR_METRIC_H_
#define WARDEN_MONITOR_METRIC_H_

// The catalog of metrics of the machine: which there are and what they are called in files.
// Collectors report by Metric, tick.h writes the names, and docs/reference/metrics.md is generated
// from it. To add a metric, add it to the enumeration and, at the same place, to the table in
// metric.cc.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warden::monitor {

// What is measured. The first block is what the original's agent writes, under its names; our own
// follow. The order is that of the catalog; nothing stores the numbers.
enum class Metric : uint8_t {
  // By core, in percent; the rest of the block is for the whole machine or by GPU.
  kCpu,
  kIoWait,
  // Percent of the machine's memory, or of the container's limit if that is lower.
  kMemoryUsed,
  // Bytes per second, over all interfaces but loopback and those that would count traffic twice.
  kNetworkReceive,
  kNetworkTransmit,
  // Completed reads and writes per second, and then bytes per second, on all disks.
  kIops,
  kDiskRead,
  kDiskWrite,
  // By GPU, in percent. kGpu is the share of the driver's last sampling period in which a kernel
  // ran: 100 does not mean that the GPU could do no more.
  kGpu,
  kGpuMemory,

  // Load averages, and threads that run or are ready to.
  kLoad1,
  kLoad5,
  kLoad15,
  kRunnable,
  // Percent in use, and bytes per second.
  kSwapUsed,
  kSwapIn,
  kSwapOut,
  // By disk.
  kDeviceRead,
  kDeviceWrite,
  kDeviceIops,
  // Percent of the time; the others are per second.
  kDeviceBusy,
  // On the disk that the run is written to: percent in use, and bytes left.
  kSpaceUsed,
  kSpaceFree,
  // By network interface, in bytes per second.
  kInterfaceReceive,
  kInterfaceTransmit,
  // By resource: percent of the time in which some or all tasks waited for it.
  kPressureSome,
  kPressureFull,
  // Only in a container that has a limit. Percent of the quota, and percent of the quota's periods.
  kContainerCpu,
  kContainerThrottled,
  // Bytes, without file cache that can be reclaimed; then the limits, in bytes and cores.
  kContainerMemory,
  kContainerMemoryLimit,
  kContainerCpuLimit,
  // By GPU, beyond what the original's agent writes. Percent of the driver's last sampling period;
  // bytes in use.
  kGpuMemoryBusy,
  kGpuMemoryBytes,
  // Watts of the board, degrees Celsius of the chip, MHz.
  kGpuPower,
  kGpuPowerLimit,
  kGpuTemperature,
  kGpuClock,
  kGpuMemoryClock,
  // Bits, as NVML has them: 1 idle, 4 power cap, 8 hardware slowdown, 32 and 64 thermal, 128 power
  // brake.
  kGpuThrottleReasons,
  // Bytes per second, seen from the GPU.
  kGpuPcieReceive,
  kGpuPcieTransmit,
  kGpuNvlinkReceive,
  kGpuNvlinkTransmit,
  // Errors of its memory since the driver was loaded, at least every 10 s and when one is added.
  kGpuEccCorrected,
  kGpuEccUncorrected,
  // The number of an error that the driver has reported, at the sample in which it did.
  kGpuXid,
  // Between two updates of the driver's utilization, as measured.
  kGpuRefresh,
  // By GPU and process, in bytes.
  kGpuProcessMemory,
  // Of the training's processes together.
  kProcessCpu,
  // Bytes; shared pages count once for each process.
  kProcessMemory,
  kProcessThreads,
  kProcessCount,
  // Data loader workers: forks of the training, and processes with PyTorch's names for them.
  kProcessWorkers,
  // Bytes per second by system calls, the page cache included; below, what reached the disks.
  kProcessRead,
  kProcessWrite,
  kProcessDiskRead,
  kProcessDiskWrite,
  kCount,  // How many there are.
};

// What a metric is called in files, and what it means. Types that the original does not have
// contain none of "cpu", "gpu", "memory", "i/o" and "network": the original's statistics take every
// line whose Type holds such a word for a percentage of that resource.
struct MetricDesc {
  Metric metric;
  // "Type" and "Dimension" of its lines; the dimension may be empty.
  std::string_view type;
  std::string_view dimension;
  std::string_view name;  // "<...>" stands for one of several: "cpu<n>", "<disk>".
  // For people: "%", "bytes/s", "W"; may be empty for a count. doc is a sentence in English.
  std::string_view unit;
  std::string_view doc;
};

// All of them, in the order of the enumeration. Constants; safe for many threads, as are the
// others.
std::span<const MetricDesc> MetricCatalogue();
// One of them; REQUIRES: not kCount.
//
//   out->Print("{} in {}\n", Describe(Metric::kGpuPower).doc, Describe(Metric::kGpuPower).unit);
const MetricDesc& Describe(Metric metric);

// The catalog as a table in Markdown, for the reference.
std::string CatalogueMarkdown();

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_METRIC_H_
