#ifndef WARDEN_DASHBOARD_TENSORS_TENSOR_ENDPOINTS_H_
#define WARDEN_DASHBOARD_TENSORS_TENSOR_ENDPOINTS_H_

#include <vector>

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// Tensors of a run: which there are, their series, heat maps, distributions and values; the event
// "steps" reports the last step and how much was read. Made of the two below.
RunEndpoints TensorEndpoints();

// What is asked of tensors over steps: tensors, steps, series, heatmap, and compare with another
// run, which the parameter b names. They answer within a fraction of a second with what was read so
// far ("ingested" says how much); the event "steps" announces more. In series_endpoints.cc.
std::vector<RunEndpoint> SeriesEndpoints();

// What is asked of the values of single tensors: distributions, value, activation_map,
// classification, attention. Unlike series they read event files when asked, so that they may take
// as long as reading a large tensor. 404 if the tensor has no value at the step. In
// value_endpoints.cc.
std::vector<RunEndpoint> ValueEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_TENSOR_ENDPOINTS_H_
