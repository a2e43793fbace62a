#ifndef PYTHON_SRC_TENSOR_H_
#define PYTHON_SRC_TENSOR_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <optional>

#include "warden/stats/tensor_ref.h"

namespace warden::python {

// A tensor borrowed from Python without a copy: a DLPack capsule, or an object that supports DLPack
// or the buffer protocol. Must be destroyed with the GIL held.
class BorrowedTensor {
 public:
  // Returns nothing if the object is not a tensor in host memory, not in C order, of an unsupported
  // type, or of more than 64 dimensions. as_bool: the elements are bytes that represent bool, which
  // DLPack may lack.
  static std::optional<BorrowedTensor> From(nanobind::handle object, bool as_bool);

  // Valid as long as this object exists and is not moved.
  stats::TensorRef ref() const { return {array_.data(), dtype_, {shape_.data(), array_.ndim()}}; }

 private:
  static constexpr size_t kMostDimensions = 64;  // As many as NumPy and PyTorch have at most.

  BorrowedTensor(nanobind::ndarray<nanobind::ro> array, DType dtype);

  nanobind::ndarray<nanobind::ro> array_;
  DType dtype_;
  std::array<int64_t, kMostDimensions> shape_;
};

}  // namespace warden::python

#endif  // PYTHON_SRC_TENSOR_H_
