#ifndef WARDEN_VIEW_METRICS_METRIC_KIND_H_
#define WARDEN_VIEW_METRICS_METRIC_KIND_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/format/metric_line.h"

namespace warden::view {

// What a node does as a whole: means over its cores and GPUs, sums over both directions.
enum class Whole : uint8_t {
  kCpu,
  kIoWait,
  kMemory,
  kGpu,
  kGpuMemory,
  kNetworkIn,
  kNetworkOut,
  kDiskRead,
  kDiskWrite,
  kNetwork,
  kDisk,
  kNone,  // A metric that is part of none of them.
};
inline constexpr size_t kWholes = static_cast<size_t>(Whole::kNone);

struct WholeKind {
  std::string_view key;    // As series are asked for.
  std::string_view title;  // As the table of utilisation has it; empty: not in it.
  std::string_view unit;
};
// In the order of Whole, which is that of the table.
inline constexpr std::array<WholeKind, kWholes> kWholeKinds = {{
    {"cpu", "CPU", "%"},
    {"io_wait", "I/O wait", "%"},
    {"memory", "Memory", "%"},
    {"gpu", "GPU", "%"},
    {"gpu_memory", "GPU memory", "%"},
    {"network_in", "Network in", "B/s"},
    {"network_out", "Network out", "B/s"},
    {"disk_read", "Disk read", "B/s"},
    {"disk_write", "Disk write", "B/s"},
    {"network", "", "B/s"},
    {"disk", "", "B/s"},
}};

// Which of them a line is part of; kNetwork and kDisk are sums of the others.
Whole WholeOf(const format::MetricLine& line);

// "%", "B/s", "B" or nothing that is known.
std::string_view UnitOf(const format::MetricLine& line);

// "gpu2" before "gpu10".
bool DeviceComesBefore(std::string_view a, std::string_view b);

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_METRIC_KIND_H_
