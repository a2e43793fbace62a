#ifndef WARDEN_VIEW_METRICS_METRIC_KIND_H_
#define WARDEN_VIEW_METRICS_METRIC_KIND_H_

// Which lines of a metrics file belong together: the totals of a node that the dashboard shows,
// units, and the order of devices. The only place that knows the names of metrics for the
// dashboard; timeline/feed/tick_builder.cc knows them for the rules. Pure functions, safe for many
// threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/format/metric_line.h"

namespace warden::view {

// What a node does as a whole: means over its cores and GPUs, sums over devices and directions.
// Percentages are of the whole node: kCpu is 100 when all cores are busy.
enum class Whole : uint8_t {
  kCpu,         // Mean utilization of the cores.
  kIoWait,      // Mean I/O wait of the cores.
  kMemory,      // Memory in use.
  kGpu,         // Mean utilization of the GPUs.
  kGpuMemory,   // Mean memory use of the GPUs.
  kNetworkIn,   // Received.
  kNetworkOut,  // Sent.
  kDiskRead,    // Read.
  kDiskWrite,   // Written.
  kNetwork,     // Both directions.
  kDisk,        // Both directions.
  kNone,        // A metric that is part of none of them.
};
// Number of totals.
inline constexpr size_t kWholes = static_cast<size_t>(Whole::kNone);

// How a total is named.
struct WholeKind {
  std::string_view key;    // How series are asked for: part of the API.
  std::string_view title;  // In the table of utilization; empty: not in it.
  std::string_view unit;   // "%" or "B/s".
};
// In the order of Whole, which is that of the table. Keys are part of the dashboard's API: add new
// ones, do not rename any.
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

// Which total a line is part of; never kNetwork or kDisk, which are sums of the others. kNone for
// lines of single processes, and for names that other writers have made up.
Whole WholeOf(const format::MetricLine& line);

// "%", "B/s", "B", or "" if it is unknown. By the words at the end of the metric's names. Looks at
// the dimension first, then at the name. Valid for the life of the process.
std::string_view UnitOf(const format::MetricLine& line);

// An order of devices: "gpu2" before "gpu10". A strict order, for std::sort. Names of one kind
// differ in their number only, so the shorter one comes first.
bool DeviceComesBefore(std::string_view a, std::string_view b);

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_METRIC_KIND_H_
