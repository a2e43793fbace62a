#include "warden/monitor/metric.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace warden::monitor {
namespace {

constexpr auto kMetricCount = static_cast<size_t>(Metric::kCount);

constexpr std::array<MetricDesc, kMetricCount> kCatalogue = {{
    {Metric::kCpu, "cpu", "CPUUtilization", "cpu<n>", "%",
     "Utilization of the core; includes steal time."},
    {Metric::kIoWait, "cpu", "I/OWaitPercentage", "cpu<n>", "%",
     "Time the core was idle while waiting for disk I/O."},
    {Metric::kMemoryUsed, "memory", "", "MemoryUsedPercent", "%",
     "Memory in use, as a share of the machine's memory or of the container limit if that is "
     "lower."},
    {Metric::kNetworkReceive, "network", "Algorithm", "ReceiveBytesPerSecond", "bytes/s",
     "Received over all network interfaces, without loopback and virtual interfaces that would "
     "count traffic twice."},
    {Metric::kNetworkTransmit, "network", "Algorithm", "TransmitBytesPerSecond", "bytes/s",
     "Sent over the same interfaces."},
    {Metric::kIops, "i/o", "", "IOPS", "1/s", "Completed reads and writes on all disks."},
    {Metric::kDiskRead, "i/o", "", "ReadThroughputInBytesPerSecond", "bytes/s",
     "Read from all disks."},
    {Metric::kDiskWrite, "i/o", "", "WriteThroughputInBytesPerSecond", "bytes/s",
     "Written to all disks."},
    {Metric::kGpu, "gpu", "GPUUtilization", "gpu<n>", "%",
     "Share of the driver's last sampling period in which a kernel ran."},
    {Metric::kGpuMemory, "gpu", "GPUMemoryUtilization", "gpu<n>", "%", "GPU memory in use."},

    {Metric::kLoad1, "load", "", "Load1", "tasks", "Load average over one minute."},
    {Metric::kLoad5, "load", "", "Load5", "tasks", "Load average over five minutes."},
    {Metric::kLoad15, "load", "", "Load15", "tasks", "Load average over fifteen minutes."},
    {Metric::kRunnable, "load", "", "RunnableTasks", "tasks",
     "Threads that are running or ready "
     "to run."},
    {Metric::kSwapUsed, "swap", "", "SwapUsedPercent", "%", "Swap space in use."},
    {Metric::kSwapIn, "swap", "", "SwapInBytesPerSecond", "bytes/s", "Read back from swap."},
    {Metric::kSwapOut, "swap", "", "SwapOutBytesPerSecond", "bytes/s", "Written to swap."},
    {Metric::kDeviceRead, "disk", "ReadBytesPerSecond", "<disk>", "bytes/s", "Read from the disk."},
    {Metric::kDeviceWrite, "disk", "WriteBytesPerSecond", "<disk>", "bytes/s",
     "Written to the disk."},
    {Metric::kDeviceIops, "disk", "IOPS", "<disk>", "1/s",
     "Completed reads and writes on the disk."},
    {Metric::kDeviceBusy, "disk", "BusyPercent", "<disk>", "%",
     "Share of the time in which the disk was busy."},
    {Metric::kSpaceUsed, "space", "UsedPercent", "run", "%",
     "Space in use on the disk that the run is written to."},
    {Metric::kSpaceFree, "space", "FreeBytes", "run", "bytes", "Space left on that disk."},
    {Metric::kInterfaceReceive, "interface", "ReceiveBytesPerSecond", "<interface>", "bytes/s",
     "Received over the network interface."},
    {Metric::kInterfaceTransmit, "interface", "TransmitBytesPerSecond", "<interface>", "bytes/s",
     "Sent over the network interface."},
    {Metric::kPressureSome, "pressure", "SomePercent", "cpu, io, memory", "%",
     "Share of the time in which at least one task waited for this resource."},
    {Metric::kPressureFull, "pressure", "FullPercent", "cpu, io, memory", "%",
     "Share of the time in which all tasks waited for this resource."},
    {Metric::kContainerCpu, "container", "UsedPercent", "cores", "%",
     "CPU time of the container, as a share of its quota."},
    {Metric::kContainerThrottled, "container", "ThrottledPercent", "cores", "%",
     "Share of the quota periods in which the container was throttled."},
    {Metric::kContainerMemory, "container", "UsedBytes", "memory", "bytes",
     "Memory of the container, without reclaimable file cache."},
    {Metric::kContainerMemoryLimit, "container", "LimitBytes", "memory", "bytes",
     "Memory limit of the container."},
    {Metric::kContainerCpuLimit, "container", "Limit", "cores", "cores",
     "CPU limit of the container."},
    {Metric::kGpuMemoryBusy, "accelerator", "MemoryBusyPercent", "gpu<n>", "%",
     "Share of the driver's last sampling period in which memory was read or written."},
    {Metric::kGpuMemoryBytes, "accelerator", "MemoryUsedBytes", "gpu<n>", "bytes",
     "GPU memory in use."},
    {Metric::kGpuPower, "accelerator", "PowerWatts", "gpu<n>", "W", "Power draw of the board."},
    {Metric::kGpuPowerLimit, "accelerator", "PowerLimitWatts", "gpu<n>", "W",
     "Power limit of the board."},
    {Metric::kGpuTemperature, "accelerator", "TemperatureCelsius", "gpu<n>", "°C",
     "Temperature of "
     "the chip."},
    {Metric::kGpuClock, "accelerator", "ClockMHz", "gpu<n>", "MHz", "SM clock."},
    {Metric::kGpuMemoryClock, "accelerator", "MemoryClockMHz", "gpu<n>", "MHz", "Memory clock."},
    {Metric::kGpuThrottleReasons, "accelerator", "ThrottleReasons", "gpu<n>", "bits",
     "Reasons for reduced clocks, as NVML bits: 1 idle, 4 power cap, 8 hardware slowdown, 32 "
     "thermal (software), 64 thermal (hardware), 128 power brake."},
    {Metric::kGpuPcieReceive, "accelerator", "PcieReceiveBytesPerSecond", "gpu<n>", "bytes/s",
     "Received by the GPU over PCIe."},
    {Metric::kGpuPcieTransmit, "accelerator", "PcieTransmitBytesPerSecond", "gpu<n>", "bytes/s",
     "Sent by the GPU over PCIe."},
    {Metric::kGpuNvlinkReceive, "accelerator", "NvlinkReceiveBytesPerSecond", "gpu<n>", "bytes/s",
     "Received by the GPU over all NVLinks."},
    {Metric::kGpuNvlinkTransmit, "accelerator", "NvlinkTransmitBytesPerSecond", "gpu<n>", "bytes/s",
     "Sent by the GPU over all NVLinks."},
    {Metric::kGpuEccCorrected, "accelerator", "EccCorrectedErrors", "gpu<n>", "",
     "Corrected errors of the GPU's memory since the driver was loaded."},
    {Metric::kGpuEccUncorrected, "accelerator", "EccUncorrectedErrors", "gpu<n>", "",
     "Uncorrected errors of the GPU's memory since the driver was loaded."},
    {Metric::kGpuXid, "accelerator", "XidError", "gpu<n>", "",
     "Number of an XID error, at the sample in which the driver reported it."},
    {Metric::kGpuRefresh, "accelerator", "RefreshSeconds", "gpu<n>", "s",
     "Time between two updates of the driver's utilization, as measured."},
    {Metric::kGpuProcessMemory, "accelerator", "ProcessMemoryBytes", "gpu<n>:<pid>", "bytes",
     "GPU memory of the process, as far as the driver tells."},
    {Metric::kProcessCpu, "process", "CPUUtilization", "training", "%",
     "CPU time of the training and its child processes, as a share of all cores of the machine."},
    {Metric::kProcessMemory, "process", "ResidentBytes", "training", "bytes",
     "Resident memory of these processes; shared pages count once per process."},
    {Metric::kProcessThreads, "process", "Threads", "training", "", "Threads of these processes."},
    {Metric::kProcessCount, "process", "Processes", "training", "", "Number of these processes."},
    {Metric::kProcessWorkers, "process", "DataLoaderWorkers", "training", "",
     "Data loader workers: child processes that are forks of the training process or have PyTorch "
     "worker names."},
    {Metric::kProcessRead, "process", "ReadBytesPerSecond", "training", "bytes/s",
     "Read by these processes with system calls, including from the page cache."},
    {Metric::kProcessWrite, "process", "WriteBytesPerSecond", "training", "bytes/s",
     "Written by these processes with system calls."},
    {Metric::kProcessDiskRead, "process", "DiskReadBytesPerSecond", "training", "bytes/s",
     "Read from disks for these processes."},
    {Metric::kProcessDiskWrite, "process", "DiskWriteBytesPerSecond", "training", "bytes/s",
     "Written to disks for these processes."},
}};

constexpr bool InOrder() {
  for (size_t i = 0; i < kCatalogue.size(); ++i) {
    if (static_cast<size_t>(kCatalogue[i].metric) != i) return false;
  }
  return true;
}
static_assert(InOrder(), "the catalogue follows the enumeration");

}  // namespace

std::span<const MetricDesc> MetricCatalogue() { return kCatalogue; }

const MetricDesc& Describe(Metric metric) { return kCatalogue[static_cast<size_t>(metric)]; }

std::string CatalogueMarkdown() {
  std::string text =
      "| Type | Dimension | Name | unit | description |\n| --- | --- | --- | --- | --- |\n";
  for (const MetricDesc& desc : kCatalogue) {
    fmt::format_to(std::back_inserter(text), "| `{}` | `{}` | `{}` | {} | {} |\n", desc.type,
                   desc.dimension.empty() ? "\"\"" : desc.dimension, desc.name, desc.unit,
                   desc.doc);
  }
  return text;
}

}  // namespace warden::monitor
