#ifndef WARDEN_SERVICE_DASHBOARD_METRICS_ANSWERS_H_
#define WARDEN_SERVICE_DASHBOARD_METRICS_ANSWERS_H_

#include "warden/base/status.h"
#include "warden/service/dashboard/core/part.h"
#include "warden/view/metrics/run_metrics.h"

namespace warden::service {

// What docs/reference/dashboard_api.md says of each. kInvalid for parameters that cannot be, and
// kNotFound for a node that is not there.
Result<Response> MetricList(const view::RunMetrics& metrics, const RunRequest& request);
Result<Response> MetricSummary(const view::RunMetrics& metrics, const RunRequest& request);
Result<Response> MetricSeriesAnswer(const view::RunMetrics& metrics, const RunRequest& request);
Result<Response> MetricHeatmap(const view::RunMetrics& metrics, const RunRequest& request);
Result<Response> MetricMarks(const view::RunMetrics& metrics, const RunRequest& request);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_METRICS_ANSWERS_H_
