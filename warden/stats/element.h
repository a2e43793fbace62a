#ifndef WARDEN_STATS_ELEMENT_H_
#define WARDEN_STATS_ELEMENT_H_

// One element at a time, in any real type. Used where speed does not matter or the kernels do not
// reach: quantiles, distances, printing, tests of the kernels.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "warden/base/dtype.h"
#include "warden/base/status.h"

namespace warden::stats {

// Elements of tensors as C++ types: for code that looks at every value of a tensor of any real
// type. Slower than the kernels of cpu/, which know only float and double, but simple:
//
//   Status status = VisitReal(tensor.dtype, [&]<class T>() {
//     for (size_t i = 0; i < count; ++i) Use(ToDouble(ReadElement<T>(data, i)));
//   });

// The element types that C++ has no name for, as their bits. Bool is true for every byte but 0.
// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
struct Float16 {
  uint16_t bits;
};
// The upper half of a float: 1 sign, 8 exponent and 7 fraction bits.
struct BFloat16 {
  uint16_t bits;
};
// Files may have other values than 0 and 1.
struct Bool {
  uint8_t bits;
};

// The value as a double: exact for all types but 64-bit integers, which round to the nearest.
template <class T>
double ToDouble(T value) {
  return static_cast<double>(value);
}
inline double ToDouble(Bool value) { return value.bits != 0 ? 1 : 0; }
inline double ToDouble(BFloat16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16);
}
// Subnormal numbers, infinities and NaN included; NaN keeps its fraction bits.
inline double ToDouble(Float16 value) {
  const uint32_t magnitude = value.bits & 0x7FFF;
  const bool finite = magnitude < 0x7C00;
  // The fields fit those of a float; multiplying mends the bias of the exponent and subnormals.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const float special = std::bit_cast<float>(0x7F80'0000 | magnitude << 13);
  const double result = finite ? scaled : special;
  return value.bits >> 15 != 0 ? -result : result;
}

// Element i of data that need not be aligned. REQUIRES: i is inside; nothing is checked.
template <class T>
T ReadElement(const std::byte* data, size_t i) {
  T value;
  std::memcpy(&value, data + i * sizeof(T), sizeof(T));
  return value;
}

// Elements [begin, begin + n) as doubles (floats, where the caller knows that they hold T).
// REQUIRES: the elements are inside; out has room for n. Wide is double or float.
template <class T, class Wide>
void Widen(const std::byte* data, size_t begin, size_t n, Wide* out) {
  for (size_t i = 0; i < n; ++i) {
    out[i] = static_cast<Wide>(ToDouble(ReadElement<T>(data, begin + i)));
  }
}

// kInvalidType, with the name of the type. For VisitReal.
Status NotRealError(DType dtype);
// Calls visitor.template operator()<T>() once, with the C++ type of the elements. kInvalidType, and
// no call, for complex numbers and strings: nothing here is defined for them.
template <class Visitor>
Status VisitReal(DType dtype, Visitor&& visitor) {
  switch (dtype) {
    case DType::kFloat16: visitor.template operator()<Float16>(); break;
    case DType::kBFloat16: visitor.template operator()<BFloat16>(); break;
    case DType::kFloat32: visitor.template operator()<float>(); break;
    case DType::kFloat64: visitor.template operator()<double>(); break;
    case DType::kInt8: visitor.template operator()<int8_t>(); break;
    case DType::kInt16: visitor.template operator()<int16_t>(); break;
    case DType::kInt32: visitor.template operator()<int32_t>(); break;
    case DType::kInt64: visitor.template operator()<int64_t>(); break;
    case DType::kUInt8: visitor.template operator()<uint8_t>(); break;
    case DType::kUInt16: visitor.template operator()<uint16_t>(); break;
    case DType::kUInt32: visitor.template operator()<uint32_t>(); break;
    case DType::kUInt64: visitor.template operator()<uint64_t>(); break;
    case DType::kBool: visitor.template operator()<Bool>(); break;
    default: return NotRealError(dtype);
  }
  return Status();
}

// The nearest value that the type can hold, ties to even, infinity beyond its range; value itself
// if the type is not floating-point. NumPy returns statistics in the tensor's type: this does the
// same to ours.
double RoundToType(double value, DType dtype);

}  // namespace warden::stats

#endif  // WARDEN_STATS_ELEMENT_H_
