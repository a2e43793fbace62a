#ifndef WARDEN_TRIAL_TENSOR_VALUE_H_
#define WARDEN_TRIAL_TENSOR_VALUE_H_

// The value that everything behind the readers of a run works on. Made by Trial and StepReader;
// nothing writes to it.

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
  // Empty for a scalar. The product of the sizes times that of an element is the size of data.
  std::vector<int64_t> shape;
  // C order, little-endian; empty for strings. Not aligned: read elements with stats::ReadElement
  // or memcpy, never through a cast pointer.
  Bytes data;
  // Only for dtype kString, in C order, as bytes: not checked to be UTF-8.
  std::vector<std::string> strings;
  std::shared_ptr<const void> owner;  // Keeps data alive.

  // A view of this, valid as long as it is. Not for strings.
  stats::TensorRef ref() const { return {data.data(), dtype, shape}; }
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_TENSOR_VALUE_H_
