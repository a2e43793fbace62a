#ifndef WARDEN_SERVICE_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_
#define WARDEN_SERVICE_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_

#include <vector>

#include "warden/service/dashboard/core/part.h"

namespace warden::service {

// What is asked of the values of single tensors: distributions, value, activation_map.
std::vector<RunEndpoint> ValueEndpoints();

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_
