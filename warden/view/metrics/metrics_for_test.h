#ifndef WARDEN_VIEW_METRICS_METRICS_FOR_TEST_H_
#define WARDEN_VIEW_METRICS_METRICS_FOR_TEST_H_

#include <string>
#include <string_view>

#include "warden/format/metric_line.h"

// For the tests of what shows metrics.
namespace warden::view {

// A line of a metrics file.
inline std::string MetricText(std::string_view type, std::string_view name,
                              std::string_view dimension, double value, double time,
                              std::string_view node = "algo-1") {
  std::string text;
  format::AppendMetricLine({type, name, dimension, value, node, time}, &text);
  return text;
}

// One moment of a machine with two cores and a GPU.
inline std::string MomentText(double time, double cpu0, double cpu1, double gpu,
                              std::string_view node = "algo-1") {
  return MetricText("cpu", "cpu0", "CPUUtilization", cpu0, time, node) +
         MetricText("cpu", "cpu1", "CPUUtilization", cpu1, time, node) +
         MetricText("gpu", "gpu0", "GPUUtilization", gpu, time, node) +
         MetricText("network", "ReceiveBytesPerSecond", "Algorithm", 100, time, node) +
         MetricText("network", "TransmitBytesPerSecond", "Algorithm", 20, time, node);
}

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_METRICS_FOR_TEST_H_
