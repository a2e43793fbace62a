#ifndef WARDEN_FORMAT_METRIC_LINE_H_
#define WARDEN_FORMAT_METRIC_LINE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/types.h"

namespace warden::format {

// System metrics as files hold them: the monitor appends lines, the profiler's rules, the report
// and the dashboard read them, also while a file is still being written.

// One metric of the machine at one moment, as a line of a metrics file has it:
//   {"Type":"cpu","Name":"cpu21","Dimension":"CPUUtilization","Value":0.83,"NodeId":"algo-1",
//    "Timestamp":1700000001.2323716}
// Views point to memory of whoever filled it in.
struct MetricLine {
  std::string_view type;       // "cpu", "gpu", "memory", "i/o", "network", ...
  std::string_view name;       // "cpu21"; empty if there is none.
  std::string_view dimension;  // "CPUUtilization".
  double value = 0;            // In the unit of the dimension; finite.
  std::string_view node;       // "algo-1".
  double time_s = 0;           // Seconds since 1970.
};

// Appends the line with its newline. A value or time that is not finite adds nothing: JSON has no
// number for it.
void AppendMetricLine(const MetricLine& line, std::string* out);

// How a text of lines was read. To follow a file that grows, read it from `bytes` on the next time.
struct MetricsRead {
  size_t bytes = 0;    // Of whole lines; what follows the last newline is left for later.
  int64_t lines = 0;   // Whole lines that are not blank, broken ones included.
  int64_t broken = 0;  // Lines that say nothing usable.
  std::string first_broken = {};  // Why, and at which byte.
};

// Reads every whole line of the text, in order; what is handed to take lives during its call only.
// Never fails: a line that is not usable (not JSON, a member missing or of the wrong type, longer
// than 1 MiB) is counted and skipped. Blank lines are skipped. Of a member that stands twice the
// later counts, unknown members are ignored, a missing or null Name is empty. Safe for many
// threads, each with its own text.
//
//   const MetricsRead read = ReadMetricLines(text, [&](const MetricLine& line) { ... });
//   if (read.broken > 0) LogWarning("{}: {}", path, read.first_broken);
MetricsRead ReadMetricLines(std::string_view text,
                            const std::function<void(const MetricLine&)>& take);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_METRIC_LINE_H_
