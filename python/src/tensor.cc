#include "python/src/tensor.h"

#include <utility>

namespace nb = nanobind;

namespace warden::python {
namespace {

std::optional<DType> DTypeOf(const nb::dlpack::dtype& type) {
  using nb::dlpack::dtype_code;
  if (type.lanes != 1) return std::nullopt;
  const auto pick = [&](DType b8, DType b16, DType b32, DType b64) -> std::optional<DType> {
    switch (type.bits) {
      case 8: return b8;
      case 16: return b16;
      case 32: return b32;
      case 64: return b64;
      default: return std::nullopt;
    }
  };
  switch (static_cast<dtype_code>(type.code)) {
    case dtype_code::Int: return pick(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
    case dtype_code::UInt:
      return pick(DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64);
    case dtype_code::Float:
      if (type.bits == 8) return std::nullopt;
      return pick({}, DType::kFloat16, DType::kFloat32, DType::kFloat64);
    case dtype_code::Bfloat:
      if (type.bits == 16) return DType::kBFloat16;
      return std::nullopt;
    case dtype_code::Complex:
      if (type.bits == 64) return DType::kComplex64;
      if (type.bits == 128) return DType::kComplex128;
      return std::nullopt;
    case dtype_code::Bool:
      if (type.bits == 8) return DType::kBool;
      return std::nullopt;
    default: return std::nullopt;
  }
}

bool IsInCOrder(const nb::ndarray<nb::ro>& array) {
  if (array.size() == 0) return true;
  int64_t expected = 1;
  for (size_t i = array.ndim(); i-- > 0;) {
    const auto size = static_cast<int64_t>(array.shape(i));
    if (size != 1 && array.stride(i) != expected) return false;
    expected *= size;
  }
  return true;
}

}  // namespace

BorrowedTensor::BorrowedTensor(nb::ndarray<nb::ro> array, DType dtype)
    : array_(std::move(array)), dtype_(dtype) {
  for (size_t i = 0; i < array_.ndim(); ++i) shape_[i] = static_cast<int64_t>(array_.shape(i));
}

std::optional<BorrowedTensor> BorrowedTensor::From(nb::handle object, bool as_bool) {
  nb::ndarray<nb::ro> array;
  if (!nb::try_cast<nb::ndarray<nb::ro>>(object, array)) return std::nullopt;
  const int device = array.device_type();
  const bool on_host = device == nb::device::cpu::value || device == nb::device::cuda_host::value;
  if (!on_host || array.ndim() > kMostDimensions || !IsInCOrder(array)) return std::nullopt;
  const auto dtype = as_bool ? DType::kBool : DTypeOf(array.dtype());
  if (!dtype) return std::nullopt;
  return BorrowedTensor(std::move(array), *dtype);
}

}  // namespace warden::python
