#ifndef WARDEN_BASE_DTYPE_H_
#define WARDEN_BASE_DTYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warden {

// Element types of tensors, for all parts that hold, save or read values. The numbers are internal:
// files and other languages use names (DTypeName) or TensorFlow's numbers (format/data_type.h). All
// functions here are safe for many threads and allocate nothing.
//
// bfloat16 has the exponent of a float32 in 16 bits. Complex numbers are pairs of floats, real part
// first. A bool takes one byte.
enum class DType : uint8_t {
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kBool,
  kComplex64,
  kComplex128,
  kString,  // Variable length; kept beside the bytes, not in them.
};

// Every type once, in the order of the enumeration: for loops and tests.
inline constexpr std::array<DType, 16> kAllDTypes = {
    DType::kFloat16, DType::kBFloat16,  DType::kFloat32,    DType::kFloat64,
    DType::kInt8,    DType::kInt16,     DType::kInt32,      DType::kInt64,
    DType::kUInt8,   DType::kUInt16,    DType::kUInt32,     DType::kUInt64,
    DType::kBool,    DType::kComplex64, DType::kComplex128, DType::kString};

// Bytes of one element; 0 for kString.
size_t DTypeSize(DType dtype);

// NumPy's name: "float32", "bool", "complex64", "str"; "bfloat16" as ml_dtypes has it. The view is
// valid for the life of the process.
std::string_view DTypeName(DType dtype);
// The type with exactly that name; nothing for any other text, other cases and blanks included.
std::optional<DType> ParseDType(std::string_view name);

// bool and kString are in none of these three groups.
bool IsFloating(DType dtype);  // float16, bfloat16, float32, float64.
bool IsInteger(DType dtype);   // Signed and unsigned, not bool.
bool IsComplex(DType dtype);   // complex64 and complex128.

}  // namespace warden

#endif  // WARDEN_BASE_DTYPE_H_
