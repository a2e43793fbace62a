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
  kMemoryUsed,
  kNetworkReceive,
  kNetworkTransmit,
  kIops,
  kDiskRead,
  kDiskWrite,
  // By GPU, in percent.
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
  kDeviceBusy,
  // By network interface, in bytes per second.
  kInterfaceReceive,
  kInterfaceTransmit,
  // By resource: percent of the time in which some or all tasks waited for it.
  kPressureSome,
  kPressureFull,
  // Only in a container that has a limit.
  kContainerCpu,
  kContainerThrottled,
  kContainerMemory,
  kContainerMemoryLimit,
  kContainerCpuLimit,
  // By GPU, beyond what the original's agent writes.
  kGpuMemoryBusy,
  kGpuMemoryBytes,
  kGpuPower,
  kGpuPowerLimit,
  kGpuTemperature,
  kGpuClock,
  kGpuMemoryClock,
  kGpuThrottleReasons,
  kGpuPcieReceive,
  kGpuPcieTransmit,
  kGpuNvlinkReceive,
  kGpuNvlinkTransmit,
  // Of the training's processes together.
  kProcessCpu,
  kProcessMemory,
  kProcessThreads,
  kProcessCount,
  kProcessWorkers,
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
