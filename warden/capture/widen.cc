#include "warden/capture/widen.h"

#include <fmt/format.h>

#include <complex>
#include <cstring>

namespace warden::capture {
namespace {

template <class From, class To>
std::vector<std::byte> Convert(const stats::TensorRef& value) {
  const size_t count = value.count();
  std::vector<std::byte> out(count * sizeof(To));
  const auto* from = static_cast<const std::byte*>(value.data);
  for (size_t i = 0; i < count; ++i) {
    From narrow;  // Copied out, for the data may lie at any address.
    std::memcpy(&narrow, from + i * sizeof(From), sizeof(From));
    const To wide(narrow);
    std::memcpy(out.data() + i * sizeof(To), &wide, sizeof(To));
  }
  return out;
}

// A bfloat16 is the upper half of a float.
std::vector<std::byte> FromBFloat16(const stats::TensorRef& value) {
  std::vector<std::byte> out(value.count() * sizeof(float));
  const auto* from = static_cast<const std::byte*>(value.data);
  for (size_t i = 0; i < value.count(); ++i) {
    std::memcpy(out.data() + i * sizeof(float) + 2, from + i * 2, 2);
  }
  return out;
}

}  // namespace

Result<DType> OriginalType(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16: return DType::kFloat32;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kUInt16: return DType::kInt32;
    case DType::kUInt32: return DType::kInt64;
    case DType::kComplex64: return DType::kComplex128;
    case DType::kUInt64: return Status(Code::kInvalidType, "smdebug cannot read uint64 tensors");
    default: return dtype;
  }
}

std::vector<std::byte> Widen(const stats::TensorRef& value) {
  switch (value.dtype) {
    case DType::kBFloat16: return FromBFloat16(value);
    case DType::kInt8: return Convert<int8_t, int32_t>(value);
    case DType::kInt16: return Convert<int16_t, int32_t>(value);
    case DType::kUInt16: return Convert<uint16_t, int32_t>(value);
    case DType::kUInt32: return Convert<uint32_t, int64_t>(value);
    default: return Convert<std::complex<float>, std::complex<double>>(value);
  }
}

}  // namespace warden::capture
