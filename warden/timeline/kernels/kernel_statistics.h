#ifndef WARDEN_TIMELINE_KERNELS_KERNEL_STATISTICS_H_
#define WARDEN_TIMELINE_KERNELS_KERNEL_STATISTICS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/format/kernel_event.h"
#include "warden/timeline/kernels/kernel_name.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

// What GPUs did, in numbers, from the files of GPU activity of a run: for `warden profile kernels`.
//
//   const auto statistics = SummarizeKernels("runs/1/profiler-output", {});
//   for (const KernelRow& row : statistics.value().kernels) Print(row.name, row.total_ns);

// All launches of one kernel. Times are in nanoseconds, here and below.
struct KernelRow {
  std::string name;
  KernelTraits traits;
  uint64_t count = 0;
  int64_t total_ns = 0;
  int64_t min_ns = 0;
  int64_t max_ns = 0;
  uint64_t in_graphs = 0;       // Launches by CUDA graphs.
  format::KernelLaunch launch;  // The one that took the longest.
};

// A sum over kernels of one kind, or of one precision.
struct KernelShare {
  uint64_t count = 0;
  int64_t total_ns = 0;
};

// A stretch of a window in which a device did nothing.
struct IdleGap {
  std::string node;
  uint32_t device = 0;
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  std::string before, after;  // Kernels, or kinds of copies. Empty: the window's begin or end.
  bool host_late = false;     // What came next was asked for only after the gap had begun.
};

// One device of one process.
struct DeviceRow {
  std::string node;
  uint32_t device = 0;
  int64_t window_ns = 0;         // Recorded.
  int64_t busy_ns = 0;           // With kernels, copies or fills, at least one.
  int64_t kernel_ns = 0;         // The sum of all kernels: more than busy_ns where they overlap.
  int64_t communication_ns = 0;  // Of these, collective operations.
  int64_t copy_ns = 0;           // The sum of all copies and fills.
  uint64_t gaps = 0;
  int64_t host_late_ns = 0;  // Of idle time: until a thread asked for more.
  int64_t longest_gap_ns = 0;

  int64_t idle_ns() const { return window_ns - busy_ns; }
};

struct CopyRow {
  std::string name;  // "host to device (pageable)", "fill".
  uint64_t count = 0;
  uint64_t bytes = 0;
  int64_t total_ns = 0;

  double bytes_per_second() const {
    return total_ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(total_ns) : 0;
  }
};

// Calls of the runtime or the driver of one name, or waits.
struct CallRow {
  std::string name;
  uint64_t count = 0;
  int64_t total_ns = 0;
  int64_t max_ns = 0;
};

// From the begin of a call to that of the kernel that it started. Without those of graphs.
struct LaunchDelays {
  uint64_t count = 0;
  double mean_ns = 0, p50_ns = 0, p95_ns = 0;
  int64_t max_ns = 0;
};

struct KernelStatistics {
  uint64_t events = 0;
  uint64_t launches = 0;  // Of kernels.
  int64_t kernel_ns = 0;
  uint64_t windows = 0;
  uint64_t steps = 0;
  uint64_t dropped = 0;            // For which there was no room when they were recorded.
  int64_t start_ns = 0;            // Of the first window, since 1970.
  int64_t end_ns = 0;              // Of the last.
  uint64_t bytes = 0;              // Of the files.
  std::vector<KernelRow> kernels;  // The longest in total first, as the next two.
  std::vector<CopyRow> copies;
  std::vector<CallRow> calls;
  std::vector<CallRow> waits;
  std::array<KernelShare, kKernelKinds> kinds{};
  std::array<KernelShare, kPrecisions> precisions{};
  KernelShare tensor_cores;
  KernelShare short_kernels;  // Of less than kShortKernelNs.
  LaunchDelays delays;
  std::vector<DeviceRow> devices;     // By node, then number.
  std::vector<IdleGap> gaps;          // The longest of each device, the longest first.
  std::vector<std::string> problems;  // For users.
};

// A kernel that is shorter takes less time than its launch.
inline constexpr int64_t kShortKernelNs = 10'000;
// So many gaps are told of each device.
inline constexpr size_t kGapsOfDevice = 10;

// Which part of a run to look at. Events count that begin in it.
struct KernelQuery {
  TimeRange range;
  bool unfinished = true;
};

// Reads all files of GPU activity in a profiler's folder, in bounded memory. kNotFound if there is
// none, or nothing was recorded in the range. What cannot be read is a problem. Takes 0.2 s for a
// million events.
Result<KernelStatistics> SummarizeKernels(const std::string& folder, const KernelQuery& query);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_KERNEL_STATISTICS_H_
