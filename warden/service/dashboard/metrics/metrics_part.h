#ifndef WARDEN_SERVICE_DASHBOARD_METRICS_METRICS_PART_H_
#define WARDEN_SERVICE_DASHBOARD_METRICS_METRICS_PART_H_

#include "warden/service/dashboard/core/part.h"

namespace warden::service {

// What the machines of a run did: metrics, metrics/summary, metrics/series, metrics/heatmap,
// metrics/marks; tells of more with the event "metrics".
DashboardPart MetricsPart();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_METRICS_METRICS_PART_H_
