#ifndef WARDEN_STATS_TENSOR_REF_H_
#define WARDEN_STATS_TENSOR_REF_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "warden/base/dtype.h"
#include "warden/base/types.h"

namespace warden::stats {

// A dense tensor in C order that somebody else keeps alive, in host memory. An empty shape is a
// scalar. The data need not be aligned: it may lie inside a mapped file.
struct TensorRef {
  const void* data = nullptr;
  DType dtype = DType::kFloat32;
  std::span<const int64_t> shape;

  // Number of elements: 1 for a scalar, 0 if any dimension is 0.
  size_t count() const {
    size_t product = 1;
    for (int64_t size : shape) product *= static_cast<size_t>(size);
    return product;
  }
  size_t byte_size() const { return count() * DTypeSize(dtype); }
  Bytes bytes() const { return {static_cast<const std::byte*>(data), byte_size()}; }
};

}  // namespace warden::stats

#endif  // WARDEN_STATS_TENSOR_REF_H_
