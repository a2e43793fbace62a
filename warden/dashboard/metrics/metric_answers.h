#ifndef WARDEN_DASHBOARD_METRICS_METRIC_ANSWERS_H_
#define WARDEN_DASHBOARD_METRICS_METRIC_ANSWERS_H_

// The answers of the metrics endpoints; metrics_endpoints.cc routes to them. Each reads the
// request's query and returns what docs/reference/dashboard_api.md says, from what was read so far:
// the metrics come in the background. kInvalid for parameters that are not accepted, kNotFound for
// an unknown node. Safe for many threads.

#include "warden/base/status.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/view/metrics/run_metrics.h"

namespace warden::dashboard {

// Nodes, devices and metrics that there are, and how far they are read.
Result<http::Response> MetricList(const view::RunMetrics& metrics, const RunRequest& request);
// Percentiles of each node's CPU, GPU, memory and so on, over a window of time.
Result<http::Response> MetricSummary(const view::RunMetrics& metrics, const RunRequest& request);
// Columns of up to 64 metrics ("key") of one node, at most "points" each. An unknown key is not an
// error: its columns are empty and "found" is false.
Result<http::Response> MetricSeriesAnswer(const view::RunMetrics& metrics,
                                          const RunRequest& request);
// Utilization of all cores and GPUs of one node, by columns of time.
Result<http::Response> MetricHeatmap(const view::RunMetrics& metrics, const RunRequest& request);
// What to mark on the axis of time: the training loop, slow steps, findings. Reads the records of
// rules on each call.
Result<http::Response> MetricMarks(const view::RunMetrics& metrics, const RunRequest& request);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_METRIC_ANSWERS_H_
