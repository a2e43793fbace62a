#ifndef WARDEN_DASHBOARD_TENSORS_SERIES_ENDPOINTS_H_
#define WARDEN_DASHBOARD_TENSORS_SERIES_ENDPOINTS_H_

#include <vector>

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// What is asked of tensors over steps: tensors, steps, series, heatmap, and compare with another
// run, which the parameter b names. They answer within a fraction of a second with what was read so
// far ("ingested" says how much); the event "steps" announces more. Part of TensorEndpoints.
std::vector<RunEndpoint> SeriesEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_SERIES_ENDPOINTS_H_
