#ifndef WARDEN_TRIAL_TENSOR_VALUE_FOR_TEST_H_
#define WARDEN_TRIAL_TENSOR_VALUE_FOR_TEST_H_

// Values of tensors without a run around them.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "warden/trial/tensor_value.h"

namespace warden::trial {

template <class T>
TensorValue MakeValue(DType dtype, std::vector<int64_t> shape, std::vector<T> values) {
  auto own = std::make_shared<std::vector<T>>(std::move(values));
  const Bytes bytes = std::as_bytes(std::span(*own));
  return {dtype, std::move(shape), bytes, {}, own};
}

inline TensorValue FloatValue(std::vector<int64_t> shape, std::vector<float> values) {
  return MakeValue(DType::kFloat32, std::move(shape), std::move(values));
}

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_TENSOR_VALUE_FOR_TEST_H_
