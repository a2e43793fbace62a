#include "warden/monitor/metric.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace warden::monitor {
namespace {

constexpr auto kMetricCount = static_cast<size_t>(Metric::kCount);

constexpr std::array<MetricDesc, kMetricCount> kCatalogue = {{
    {Metric::kCpu, "cpu", "CPUUtilization", "cpu<n>", "%",
     "How busy the core was; its time for others on a virtual machine counts as busy."},
    {Metric::kIoWait, "cpu", "I/OWaitPercentage", "cpu<n>", "%",
     "How long the core was idle while work waited for a disk."},
    {Metric::kMemoryUsed, "memory", "", "MemoryUsedPercent", "%",
     "Memory that is not available to programs; of a container's limit, if that is less."},
    {Metric::kNetworkReceive, "network", "Algorithm", "ReceiveBytesPerSecond", "bytes/s",
     "Over all interfaces but lo and those that only hand on what another one counts."},
    {Metric::kNetworkTransmit, "network", "Algorithm", "TransmitBytesPerSecond", "bytes/s",
     "The same for what was sent."},
    {Metric::kIops, "i/o", "", "IOPS", "1/s", "Reads and writes of all disks that were finished."},
    {Metric::kDiskRead, "i/o", "", "ReadThroughputInBytesPerSecond", "bytes/s",
     "Read from all disks."},
    {Metric::kDiskWrite, "i/o", "", "WriteThroughputInBytesPerSecond", "bytes/s",
     "Written to all disks."},
    {Metric::kGpu, "gpu", "GPUUtilization", "gpu<n>", "%",
     "Share of the driver's last sampling period in which a kernel ran."},
    {Metric::kGpuMemory, "gpu", "GPUMemoryUtilization", "gpu<n>", "%",
     "Memory of the GPU that is taken."},

    {Metric::kLoad1, "load", "", "Load1", "tasks", "Load average over one minute."},
    {Metric::kLoad5, "load", "", "Load5", "tasks", "Load average over five minutes."},
    {Metric::kLoad15, "load", "", "Load15", "tasks", "Load average over fifteen minutes."},
    {Metric::kRunnable, "load", "", "RunnableTasks", "tasks", "Threads that run or could run."},
    {Metric::kSwapUsed, "swap", "", "SwapUsedPercent", "%", "Swap space that is taken."},
    {Metric::kSwapIn, "swap", "", "SwapInBytesPerSecond", "bytes/s", "Brought back from swap."},
    {Metric::kSwapOut, "swap", "", "SwapOutBytesPerSecond", "bytes/s", "Moved out to swap."},
    {Metric::kDeviceRead, "disk", "ReadBytesPerSecond", "<disk>", "bytes/s", "Of one disk."},
    {Metric::kDeviceWrite, "disk", "WriteBytesPerSecond", "<disk>", "bytes/s", "Of one disk."},
    {Metric::kDeviceIops, "disk", "IOPS", "<disk>", "1/s", "Of one disk."},
    {Metric::kDeviceBusy, "disk", "BusyPercent", "<disk>", "%",
     "Share of the time in which the disk had something to do."},
    {Metric::kInterfaceReceive, "interface", "ReceiveBytesPerSecond", "<interface>", "bytes/s",
     "Of one network interface."},
    {Metric::kInterfaceTransmit, "interface", "TransmitBytesPerSecond", "<interface>", "bytes/s",
     "Of one network interface."},
    {Metric::kPressureSome, "pressure", "SomePercent", "cpu, io, memory", "%",
     "Share of the time in which some task was held up for want of it."},
    {Metric::kPressureFull, "pressure", "FullPercent", "cpu, io, memory", "%",
     "Share of the time in which every task was."},
    {Metric::kContainerCpu, "container", "UsedPercent", "cores", "%",
     "Processor time of the container, of what its quota allows."},
    {Metric::kContainerThrottled, "container", "ThrottledPercent", "cores", "%",
     "Share of the quota's periods in which the container was held back."},
    {Metric::kContainerMemory, "container", "UsedBytes", "memory", "bytes",
     "Memory of the container without file cache that can be dropped."},
    {Metric::kContainerMemoryLimit, "container", "LimitBytes", "memory", "bytes",
     "What the container may take."},
    {Metric::kContainerCpuLimit, "container", "Limit", "cores", "cores",
     "What the container may use at once."},
    {Metric::kGpuMemoryBusy, "accelerator", "MemoryBusyPercent", "gpu<n>", "%",
     "Share of the driver's last sampling period in which memory was read or written."},
    {Metric::kGpuMemoryBytes, "accelerator", "MemoryUsedBytes", "gpu<n>", "bytes",
     "Memory of the GPU that is taken."},
    {Metric::kGpuPower, "accelerator", "PowerWatts", "gpu<n>", "W", "Power that the board draws."},
    {Metric::kGpuPowerLimit, "accelerator", "PowerLimitWatts", "gpu<n>", "W",
     "Power that it may draw."},
    {Metric::kGpuTemperature, "accelerator", "TemperatureCelsius", "gpu<n>", "°C", "Of the chip."},
    {Metric::kGpuClock, "accelerator", "ClockMHz", "gpu<n>", "MHz",
     "Clock of the multiprocessors."},
    {Metric::kGpuMemoryClock, "accelerator", "MemoryClockMHz", "gpu<n>", "MHz",
     "Clock of the memory."},
    {Metric::kGpuThrottleReasons, "accelerator", "ThrottleReasons", "gpu<n>", "bits",
     "Why clocks are lower than they could be, as NVML numbers it: 1 idle, 4 power cap, 8 hardware "
     "slowdown, 32 heat (software), 64 heat (hardware), 128 power brake."},
    {Metric::kGpuPcieReceive, "accelerator", "PcieReceiveBytesPerSecond", "gpu<n>", "bytes/s",
     "To the GPU over PCIe."},
    {Metric::kGpuPcieTransmit, "accelerator", "PcieTransmitBytesPerSecond", "gpu<n>", "bytes/s",
     "From the GPU over PCIe."},
    {Metric::kGpuNvlinkReceive, "accelerator", "NvlinkReceiveBytesPerSecond", "gpu<n>", "bytes/s",
     "To the GPU over all NVLinks."},
    {Metric::kGpuNvlinkTransmit, "accelerator", "NvlinkTransmitBytesPerSecond", "gpu<n>", "bytes/s",
     "From the GPU over all NVLinks."},
    {Metric::kProcessCpu, "process", "CPUUtilization", "training", "%",
     "Processor time of the training and its children, of all cores of the machine."},
    {Metric::kProcessMemory, "process", "ResidentBytes", "training", "bytes",
     "Their memory; pages that several of them share count for each."},
    {Metric::kProcessThreads, "process", "Threads", "training", "", "Their threads."},
    {Metric::kProcessCount, "process", "Processes", "training", "", "How many they are."},
    {Metric::kProcessWorkers, "process", "DataLoaderWorkers", "training", "",
     "Children that load data: copies of the training's own process, or named as PyTorch does."},
    {Metric::kProcessRead, "process", "ReadBytesPerSecond", "training", "bytes/s",
     "What they read by system calls, from the page cache too."},
    {Metric::kProcessWrite, "process", "WriteBytesPerSecond", "training", "bytes/s",
     "What they wrote by system calls."},
    {Metric::kProcessDiskRead, "process", "DiskReadBytesPerSecond", "training", "bytes/s",
     "What had to be fetched from disks for them."},
    {Metric::kProcessDiskWrite, "process", "DiskWriteBytesPerSecond", "training", "bytes/s",
     "What they gave to disks to write."},
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
      "| Type | Dimension | Name | unit | what it is |\n| --- | --- | --- | --- | --- |\n";
  for (const MetricDesc& desc : kCatalogue) {
    fmt::format_to(std::back_inserter(text), "| `{}` | `{}` | `{}` | {} | {} |\n", desc.type,
                   desc.dimension.empty() ? "\"\"" : desc.dimension, desc.name, desc.unit,
                   desc.doc);
  }
  return text;
}

}  // namespace warden::monitor
