#ifndef WARDEN_VIEW_METRICS_QUERIES_H_
#define WARDEN_VIEW_METRICS_QUERIES_H_

// What the dashboard asks about the metrics of a node: series, percentiles, a heatmap of its
// devices. All functions only read; call them within RunMetrics::Look.
//
//   run.Look([&](const RunMetrics::Nodes& nodes) {
//     const NodeTable& node = *nodes.begin()->second;
//     series = SeriesOf(node, *node.Find("gpu"), {from, to}, 1000);
//   });

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/view/metrics/node_table.h"

namespace warden::view {

// From when to when, in seconds since 1970; both ends included.
struct TimeWindow {
  double from = 0;
  double to = 0;
};

// A series as a page draws it: each point stands for some moments. Columns of one length.
struct MetricSeries {
  std::vector<double> x;  // Seconds since 1970, in the middle of the point.
  std::vector<float> low;
  std::vector<float> mean;
  std::vector<float> high;
  size_t moments_per_point = 1;  // At most.
};
// At most `points` points, two of them just outside of the window, so that lines reach its ends,
// and a NaN where nothing was measured for long. Points begin at the same moments while a run
// grows, so that a chart does not flicker.
MetricSeries SeriesOf(const NodeTable& node, const MetricLevels& metric, const TimeWindow& window,
                      size_t points);

// How a metric was spread over some time; all empty where nothing was measured.
struct Percentiles {
  std::optional<double> max, p99, p95, p50, min;
};
// Exact, interpolated as in NumPy, as far as the detail has not been dropped; maximum and minimum
// are always exact. Looks at every moment of the window.
Percentiles PercentilesOf(const NodeTable& node, const MetricLevels& metric,
                          const TimeWindow& window);

// Utilization of every core, then every GPU, over time.
struct HeatRows {
  // One device.
  struct Row {
    std::string name;
    bool gpu = false;
  };
  std::vector<Row> rows;
  std::vector<double> x;      // When each column begins.
  std::vector<float> values;  // Row by row: the mean of each cell; NaN where nothing was measured.
};
// At most `columns` columns of equal length over the window, but none shorter than the usual
// distance of two moments. Only rows if the window is empty.
HeatRows HeatmapOf(const NodeTable& node, const TimeWindow& window, size_t columns);

// The usual (median) distance of two moments among the last thousand, in seconds; nothing if there
// are fewer than two.
std::optional<double> IntervalOf(const NodeTable& node);

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_QUERIES_H_
