#ifndef WARDEN_TIMELINE_NODE_SAMPLE_H_
#define WARDEN_TIMELINE_NODE_SAMPLE_H_

#include <limits>
#include <vector>

#include "warden/timeline/names.h"

namespace warden::timeline {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

struct GpuSample {
  NameId name = 0;                    // "gpu0".
  double utilization = kNotMeasured;  // Percent.
  double memory = kNotMeasured;       // Percent.
};

// What one machine did at one moment: the lines of a metrics file that belong together. What is
// not measured is NaN.
struct NodeSample {
  NameId node = 0;                // "algo-1".
  double time_s = 0;              // Since 1970.
  int cores = 0;                  // That were measured.
  double cpu = kNotMeasured;      // Percent, mean over the cores.
  double io_wait = kNotMeasured;  // Percent, mean over the cores.
  double busiest_core = kNotMeasured;
  double memory = kNotMeasured;        // Percent.
  double network = kNotMeasured;       // Bytes a second, both ways together.
  double disk = kNotMeasured;          // Bytes a second, both ways together.
  double training_cpu = kNotMeasured;  // Percent of the machine, by the training's processes.
  std::vector<GpuSample> gpus;         // By name.
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_NODE_SAMPLE_H_
