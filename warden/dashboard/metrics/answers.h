#ifndef WARDEN_DASHBOARD_METRICS_ANSWERS_H_
#define WARDEN_DASHBOARD_METRICS_ANSWERS_H_

#include "warden/base/status.h"
#include "warden/dashboard/core/part.h"
#include "warden/view/metrics/run_metrics.h"

namespace warden::dashboard {

// What docs/reference/dashboard_api.md says of each. kInvalid for parameters that cannot be, and
// kNotFound for a node that is not there.
Result<http::Response> MetricList(const view::RunMetrics& metrics, const RunRequest& request);
Result<http::Response> MetricSummary(const view::RunMetrics& metrics, const RunRequest& request);
Result<http::Response> MetricSeriesAnswer(const view::RunMetrics& metrics,
                                          const RunRequest& request);
Result<http::Response> MetricHeatmap(const view::RunMetrics& metrics, const RunRequest& request);
Result<http::Response> MetricMarks(const view::RunMetrics& metrics, const RunRequest& request);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_ANSWERS_H_
