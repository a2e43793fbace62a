#include "warden/format/data_type.h"

namespace warden::format {
namespace {

constexpr uint64_t kReference = 100;

}  // namespace

uint32_t DataTypeNumber(DType dtype) {
  switch (dtype) {
    case DType::kFloat32: return 1;
    case DType::kFloat64: return 2;
    case DType::kInt32: return 3;
    case DType::kUInt8: return 4;
    case DType::kInt16: return 5;
    case DType::kInt8: return 6;
    case DType::kString: return 7;
    case DType::kComplex64: return 8;
    case DType::kInt64: return 9;
    case DType::kBool: return 10;
    case DType::kBFloat16: return 14;
    case DType::kUInt16: return 17;
    case DType::kComplex128: return 18;
    case DType::kFloat16: return 19;
    case DType::kUInt32: return 22;
    case DType::kUInt64: return 23;
  }
  return 0;
}

std::optional<DType> DTypeFromNumber(uint64_t number) {
  if (number > kReference) number -= kReference;
  for (const DType dtype : kAllDTypes) {
    if (DataTypeNumber(dtype) == number) return dtype;
  }
  return std::nullopt;
}

}  // namespace warden::format
