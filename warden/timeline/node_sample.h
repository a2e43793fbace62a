#ifndef WARDEN_TIMELINE_NODE_SAMPLE_H_
#define WARDEN_TIMELINE_NODE_SAMPLE_H_

// What a machine did at one moment, for the profiler rules. TickBuilder makes samples of the lines
// of a metrics file; ProfileFeed hands them out.

#include <limits>
#include <vector>

#include "warden/timeline/names.h"

namespace warden::timeline {

// In place of a value that the machine did not report: NaN, so test with std::isfinite. Do not
// compare with ==, which is never true for NaN.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// One GPU at that moment.
struct GpuSample {
  NameId name = 0;                    // "gpu0".
  double utilization = kNotMeasured;  // Percent.
  double memory = kNotMeasured;       // Percent.
};

// What one machine did at one moment: the lines of a metrics file that belong together. What is not
// measured is NaN. Values are as in the file, not clamped. Percentages are 0 to 100 in what our
// monitor writes; files of other writers may exceed that.
struct NodeSample {
  NameId node = 0;  // "algo-1".
  // Of its first line, in seconds since 1970; lines of the same moment may differ by some ms.
  double time_s = 0;
  int cores = 0;                       // How many were measured.
  double cpu = kNotMeasured;           // Percent, mean over the cores.
  double io_wait = kNotMeasured;       // Percent, mean over the cores.
  double busiest_core = kNotMeasured;  // Percent.
  double memory = kNotMeasured;        // Percent.
  // Bytes per second, received and sent together, over all interfaces that were measured.
  double network = kNotMeasured;
  double disk = kNotMeasured;  // Bytes per second, read and written together.
  // Percent of the whole machine, by the processes of the training alone: stands in for the GPU
  // where there is none.
  double training_cpu = kNotMeasured;
  std::vector<GpuSample> gpus;  // By name: gpu2 before gpu10.
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_NODE_SAMPLE_H_
