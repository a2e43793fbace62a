#ifndef WARDEN_STATS_TENSOR_REF_H_
#define WARDEN_STATS_TENSOR_REF_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "warden/base/dtype.h"
#include "warden/base/types.h"

namespace warden::stats {

// A dense tensor in C order that somebody else keeps alive, in host memory: how values pass between
// the parts without a copy. An empty shape is a scalar. The data need not be aligned: it may lie
// inside a mapped file. Neither data nor shape is owned; a function that takes one uses both only
// during the call unless it says otherwise.
//
//   const float values[6] = {1, 2, 3, 4, 5, 6};
//   const int64_t shape[2] = {2, 3};
//   const TensorRef tensor{values, DType::kFloat32, shape};
//
// Nothing is checked: sizes are at least 0, and their product fits memory.
struct TensorRef {
  // May be null if there are no elements.
  const void* data = nullptr;
  DType dtype = DType::kFloat32;
  std::span<const int64_t> shape;

  // Number of elements: 1 for a scalar, 0 if any dimension is 0.
  size_t count() const {
    size_t product = 1;
    for (int64_t size : shape) product *= static_cast<size_t>(size);
    return product;
  }
  // 0 for strings, which are not kept in bytes.
  size_t byte_size() const { return count() * DTypeSize(dtype); }
  // All elements as they lie in memory; valid as long as data is.
  Bytes bytes() const { return {static_cast<const std::byte*>(data), byte_size()}; }
};

}  // namespace warden::stats

#endif  // WARDEN_STATS_TENSOR_REF_H_
