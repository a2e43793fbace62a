#ifndef WARDEN_DASHBOARD_TENSORS_VALUE_ANSWER_H_
#define WARDEN_DASHBOARD_TENSORS_VALUE_ANSWER_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/trial/tensor_value.h"

namespace warden::dashboard {

// A slice of a tensor, as docs/reference/dashboard_api.md describes the answer of "value". slice:
// as in NumPy, "0, :10"; empty for the whole tensor. header holds what the caller knows of it
// (tensor, step, worker); type, shape and summary are added.
//
// 400 for a slice that does not fit the tensor, 413 for one of more than 2^20 elements or 16 MiB of
// strings. Complex numbers are sent as magnitudes and large integers rounded, with a "note". Safe
// for many threads.
http::Response ValueAnswer(const trial::TensorValue& value, const std::string& slice, Json header);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_VALUE_ANSWER_H_
