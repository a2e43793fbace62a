#ifndef WARDEN_TRIAL_TENSOR_VALUE_H_
#define WARDEN_TRIAL_TENSOR_VALUE_H_

#include <memory>
#include <string>
#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/types.h"
#include "warden/stats/tensor_ref.h"

namespace warden::trial {

// The values of a tensor as they were saved: what Trial::Value returns and what rules, reports, the
// command line and the Python package work on. The bytes are those of the file where that can be
// mapped, and stay valid as long as any copy of this value lives. Copies share them, so copying is
// cheap but for the shape and the strings.
//
//   const auto summary = stats::Summarize(value.ref());
struct TensorValue {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;
  Bytes data;                         // C order, little-endian, not aligned; empty for strings.
  std::vector<std::string> strings;   // dtype kString, in C order.
  std::shared_ptr<const void> owner;  // Keeps data alive.

  // A view of this, valid as long as it is. Not for strings.
  stats::TensorRef ref() const { return {data.data(), dtype, shape}; }
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_TENSOR_VALUE_H_
