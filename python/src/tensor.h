#ifndef PYTHON_SRC_TENSOR_H_
#define PYTHON_SRC_TENSOR_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <optional>

#include "warden/stats/tensor_ref.h"

namespace warden::python {

// A tensor that Python lends without a copy: a DLPack capsule, or anything that speaks DLPack or
// the buffer protocol. Must be destroyed with the GIL held.
class BorrowedTensor {
 public:
  // Nothing if the object is no tensor in host memory, not in C order, or of a type that we do not
  // have. as_bool: the elements are bytes that stand for truth values, which DLPack may not know.
  static std::optional<BorrowedTensor> From(nanobind::handle object, bool as_bool);

  // Good as long as this stays where it is.
  stats::TensorRef ref() const { return {array_.data(), dtype_, {shape_.data(), array_.ndim()}}; }

 private:
  static constexpr size_t kMostDimensions = 32;

  BorrowedTensor(nanobind::ndarray<nanobind::ro> array, DType dtype);

  nanobind::ndarray<nanobind::ro> array_;
  DType dtype_;
  std::array<int64_t, kMostDimensions> shape_;
};

}  // namespace warden::python

#endif  // PYTHON_SRC_TENSOR_H_
