#ifndef WARDEN_VIEW_METRICS_QUERIES_H_
#define WARDEN_VIEW_METRICS_QUERIES_H_

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

// A series as a page draws it: each point stands for some moments.
struct MetricSeries {
  std::vector<double> x;
  std::vector<float> low;
  std::vector<float> mean;
  std::vector<float> high;
  size_t moments_per_point = 1;
};
// At most `points` points, two of them just outside of the window, so that lines reach its ends,
// and a NaN where nothing was measured for long.
MetricSeries SeriesOf(const NodeTable& node, const MetricLevels& metric, const TimeWindow& window,
                      size_t points);

// How a share of the time was spent; nothing where nothing was measured.
struct Percentiles {
  std::optional<double> max, p99, p95, p50, min;
};
// Exact, as NumPy has them, as far as the detail has not been given up.
Percentiles PercentilesOf(const NodeTable& node, const MetricLevels& metric,
                          const TimeWindow& window);

// Every core, then every GPU, over time.
struct HeatRows {
  struct Row {
    std::string name;
    bool gpu = false;
  };
  std::vector<Row> rows;
  std::vector<double> x;      // When each column begins.
  std::vector<float> values;  // Row by row: the mean of each cell; NaN where nothing was measured.
};
HeatRows HeatmapOf(const NodeTable& node, const TimeWindow& window, size_t columns);

// The usual distance of two moments, in seconds; nothing if there are not two.
std::optional<double> IntervalOf(const NodeTable& node);

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_QUERIES_H_
