#ifndef WARDEN_FORMAT_METRIC_LINE_H_
#define WARDEN_FORMAT_METRIC_LINE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/types.h"

namespace warden::format {

// One figure of the machine at one moment, as a line of a metrics file has it:
//   {"Type":"cpu","Name":"cpu21","Dimension":"CPUUtilization","Value":0.83,"NodeId":"algo-1",
//    "Timestamp":1700000001.2323716}
struct MetricLine {
  std::string_view type;       // "cpu", "gpu", "memory", "i/o", "network", ...
  std::string_view name;       // "cpu21"; empty if there is none.
  std::string_view dimension;  // "CPUUtilization".
  double value = 0;
  std::string_view node;  // "algo-1".
  double time_s = 0;      // Since 1970.
};

// With its newline. A value or time that is not finite adds nothing: JSON has no number for it.
void AppendMetricLine(const MetricLine& line, std::string* out);

// How a text of lines was read.
struct MetricsRead {
  size_t bytes = 0;  // Of whole lines; what follows the last newline is left for later.
  int64_t lines = 0;
  int64_t broken = 0;             // Lines that say nothing usable.
  std::string first_broken = {};  // Why, and at which byte.
};

// Reads every whole line of the text; what is handed over lives during the call only. Blank lines
// are passed over. Of a member that stands twice the later counts, unknown members are ignored.
MetricsRead ReadMetricLines(std::string_view text,
                            const std::function<void(const MetricLine&)>& take);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_METRIC_LINE_H_
