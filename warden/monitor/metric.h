#ifndef WARDEN_MONITOR_METRIC_H_
#define WARDEN_MONITOR_METRIC_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warden::monitor {

// What is measured. The first block is what the original's agent writes, under its names.
enum class Metric : uint8_t {
  kCpu,
  kIoWait,
  kMemoryUsed,
  kNetworkReceive,
  kNetworkTransmit,
  kIops,
  kDiskRead,
  kDiskWrite,
  kGpu,
  kGpuMemory,

  kLoad1,
  kLoad5,
  kLoad15,
  kRunnable,
  kSwapUsed,
  kSwapIn,
  kSwapOut,
  kDeviceRead,
  kDeviceWrite,
  kDeviceIops,
  kDeviceBusy,
  kInterfaceReceive,
  kInterfaceTransmit,
  kPressureSome,
  kPressureFull,
  kContainerCpu,
  kContainerThrottled,
  kContainerMemory,
  kContainerMemoryLimit,
  kContainerCpuLimit,
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

// How a metric is called in files, and what it says. Types of our own have none of "cpu", "gpu",
// "memory", "i/o" and "network" in them: the original's statistics take every line whose Type holds
// such a word for a percentage of that resource.
struct MetricDesc {
  Metric metric;
  std::string_view type;
  std::string_view dimension;
  std::string_view name;  // "<...>" stands for one of several: "cpu<n>", "<disk>".
  std::string_view unit;
  std::string_view doc;
};

// All of them, in the order of the enumeration.
std::span<const MetricDesc> MetricCatalogue();
const MetricDesc& Describe(Metric metric);

// The catalogue as a table in Markdown.
std::string CatalogueMarkdown();

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_METRIC_H_
