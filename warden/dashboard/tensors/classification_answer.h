#ifndef WARDEN_DASHBOARD_TENSORS_CLASSIFICATION_ANSWER_H_
#define WARDEN_DASHBOARD_TENSORS_CLASSIFICATION_ANSWER_H_

#include "warden/base/json_fwd.h"
#include "warden/http/message.h"
#include "warden/trial/tensor_value.h"

namespace warden::dashboard {

// How good a classifier is, as docs/reference/dashboard_api.md describes the answer of
// "classification". header holds what the caller knows (tensors, step, worker). 400 for tensors
// that do not go together. Safe for many threads.
http::Response ClassificationAnswer(const trial::TensorValue& labels,
                                    const trial::TensorValue& predictions, Json header);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_CLASSIFICATION_ANSWER_H_
