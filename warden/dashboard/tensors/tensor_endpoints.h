#ifndef WARDEN_DASHBOARD_TENSORS_TENSOR_ENDPOINTS_H_
#define WARDEN_DASHBOARD_TENSORS_TENSOR_ENDPOINTS_H_

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// Tensors of a run: which there are, their series, heat maps, distributions and values; the event
// "steps" reports the last step and how much was read. Endpoints: series_endpoints.h and
// value_endpoints.h.
RunEndpoints TensorEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_TENSOR_ENDPOINTS_H_
