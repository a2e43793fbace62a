#include "warden/view/metrics/metric_kind.h"

#include <utility>

namespace warden::view {

Whole WholeOf(const format::MetricLine& line) {
  if (line.type == "cpu" && line.dimension == "CPUUtilization") return Whole::kCpu;
  if (line.type == "cpu" && line.dimension == "I/OWaitPercentage") return Whole::kIoWait;
  if (line.type == "gpu" && line.dimension == "GPUUtilization") return Whole::kGpu;
  if (line.type == "gpu" && line.dimension == "GPUMemoryUtilization") return Whole::kGpuMemory;
  if (line.name == "MemoryUsedPercent") return Whole::kMemory;
  if (line.type == "network" && line.dimension == "Algorithm") {
    if (line.name == "ReceiveBytesPerSecond") return Whole::kNetworkIn;
    if (line.name == "TransmitBytesPerSecond") return Whole::kNetworkOut;
  }
  if (line.name == "ReadThroughputInBytesPerSecond") return Whole::kDiskRead;
  if (line.name == "WriteThroughputInBytesPerSecond") return Whole::kDiskWrite;
  return Whole::kNone;
}

std::string_view UnitOf(const format::MetricLine& line) {
  // Some say what they measure in the name, others in the dimension.
  for (const std::string_view text : {line.dimension, line.name}) {
    if (text.ends_with("BytesPerSecond")) return "B/s";
    if (text.ends_with("Bytes")) return "B";
    if (text.ends_with("Percent") || text.ends_with("Percentage") || text.ends_with("Utilization"))
      return "%";
  }
  return "";
}

bool DeviceComesBefore(std::string_view a, std::string_view b) {
  return std::pair(a.size(), a) < std::pair(b.size(), b);
}

}  // namespace warden::view
