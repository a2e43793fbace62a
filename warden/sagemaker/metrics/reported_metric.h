#ifndef WARDEN_SAGEMAKER_METRICS_REPORTED_METRIC_H_
#define WARDEN_SAGEMAKER_METRICS_REPORTED_METRIC_H_

// What programs of jobs write into the files below $SAGEMAKER_METRICS_DIRECTORY.

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/time.h"

namespace warden::sagemaker {

// A line of a metrics file: {"MetricName": "loss", "Value": 0.5, "Timestamp": 1763251200.0, ...}.
struct ReportedMetric {
  std::string name;  // 1 to 255 bytes.
  double value = 0;  // Finite.
  Time time;         // From 1970 to the year 3000.
};
// Nothing for any other line: the programs are the users' own. Pure, safe for many threads.
std::optional<ReportedMetric> ParseMetricLine(std::string_view line);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_METRICS_REPORTED_METRIC_H_
