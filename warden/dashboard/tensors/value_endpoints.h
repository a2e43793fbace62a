#ifndef WARDEN_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_
#define WARDEN_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_

#include <vector>

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// What is asked of the values of single tensors: distributions, value, activation_map. Unlike
// series they read event files when asked, so that they may take as long as reading a large tensor.
// 404 if the tensor has no value at the step. Part of TensorEndpoints.
std::vector<RunEndpoint> ValueEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_
