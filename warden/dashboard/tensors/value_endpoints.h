#ifndef WARDEN_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_
#define WARDEN_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_

#include <vector>

#include "warden/dashboard/core/part.h"

namespace warden::dashboard {

// What is asked of the values of single tensors: distributions, value, activation_map.
std::vector<RunEndpoint> ValueEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_VALUE_ENDPOINTS_H_
