#ifndef WARDEN_TIMELINE_NODE_SAMPLE_H_
#define WARDEN_TIMELINE_NODE_SAMPLE_H_

// What a machine did at one moment, for the profiler rules. TickBuilder makes samples of the lines
// of a metrics file; ProfileFeed hands them out.

#include <limits>
#include <vector>

#include "warden/timeline/names.h"

namespace warden::timeline {

// In place of a value that the machine did not report: NaN, so test with std::isfinite.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// One GPU at that moment.
struct GpuSample {
  NameId name = 0;                    // "gpu0".
  double utilization = kNotMeasured;  // Percent.
  double memory = kNotMeasured;       // Percent.
};

// What one machine did at one moment: the lines of a metrics file that belong together. What is not
// measured is NaN. Values are as in the file, not clamped.
struct NodeSample {
  NameId node = 0;                     // "algo-1".
  double time_s = 0;                   // Of its first line, since 1970.
  int cores = 0;                       // How many were measured.
  double cpu = kNotMeasured;           // Percent, mean over the cores.
  double io_wait = kNotMeasured;       // Percent, mean over the cores.
  double busiest_core = kNotMeasured;  // Percent.
  double memory = kNotMeasured;        // Percent.
  double network = kNotMeasured;       // Bytes per second, received and sent together.
  double disk = kNotMeasured;          // Bytes per second, read and written together.
  double training_cpu = kNotMeasured;  // Percent of the machine, by the training's processes.
  std::vector<GpuSample> gpus;         // By name: gpu2 before gpu10.
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_NODE_SAMPLE_H_
