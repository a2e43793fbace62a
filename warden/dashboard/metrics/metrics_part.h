#ifndef WARDEN_DASHBOARD_METRICS_METRICS_PART_H_
#define WARDEN_DASHBOARD_METRICS_METRICS_PART_H_

#include "warden/dashboard/core/part.h"

namespace warden::dashboard {

// What the machines of a run did: metrics, metrics/summary, metrics/series, metrics/heatmap,
// metrics/marks; tells of more with the event "metrics".
DashboardPart MetricsPart();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_METRICS_PART_H_
