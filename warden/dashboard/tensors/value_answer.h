#ifndef WARDEN_DASHBOARD_TENSORS_VALUE_ANSWER_H_
#define WARDEN_DASHBOARD_TENSORS_VALUE_ANSWER_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/trial/tensor_value.h"

namespace warden::dashboard {

// A slice of a tensor, as docs/reference/dashboard_api.md describes the answer of "value"; header
// holds what is known of it beside. 400 for a slice that does not fit the tensor, 413 for one that
// is larger than is sent.
http::Response ValueAnswer(const trial::TensorValue& value, const std::string& slice, Json header);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_VALUE_ANSWER_H_
