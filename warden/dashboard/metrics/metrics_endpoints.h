#ifndef WARDEN_DASHBOARD_METRICS_METRICS_ENDPOINTS_H_
#define WARDEN_DASHBOARD_METRICS_METRICS_ENDPOINTS_H_

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// What the machines of a run did: metrics, metrics/summary, metrics/series, metrics/heatmap,
// metrics/marks. Announces more data with the event "metrics" ({"time": seconds since 1970}). The
// first question about a run waits up to 0.3 s for the first data; the rest is read in the
// background. A run that was not monitored has empty answers, not errors.
RunEndpoints MetricsEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_METRICS_ENDPOINTS_H_
