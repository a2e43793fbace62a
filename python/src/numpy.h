#ifndef PYTHON_SRC_NUMPY_H_
#define PYTHON_SRC_NUMPY_H_

#include <nanobind/nanobind.h>

#include "warden/base/dtype.h"
#include "warden/trial/tensor_value.h"

namespace warden::python {

// Returns the values as a NumPy array that is safe to write to. Large values whose position in the
// file is aligned for their type share the memory of the mapped file (a page is copied when it is
// first written to); others are copied once. bfloat16, which NumPy does not have, becomes float32;
// strings become an array of str.
nanobind::object ToArray(const trial::TensorValue& value);

// Returns a NumPy scalar of the type that NumPy's reductions of such a tensor have: the tensor's
// type if it is floating-point (float32 for bfloat16), else float64.
nanobind::object ToScalar(double number, DType tensor_type);

}  // namespace warden::python

#endif  // PYTHON_SRC_NUMPY_H_
