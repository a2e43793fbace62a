#ifndef WARDEN_SERVICE_DASHBOARD_TENSORS_SERIES_ENDPOINTS_H_
#define WARDEN_SERVICE_DASHBOARD_TENSORS_SERIES_ENDPOINTS_H_

#include <vector>

#include "warden/service/dashboard/core/part.h"

namespace warden::service {

// What is asked of tensors over steps: tensors, steps, series, heatmap, and compare with another
// run, which the parameter b names.
std::vector<RunEndpoint> SeriesEndpoints();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_TENSORS_SERIES_ENDPOINTS_H_
