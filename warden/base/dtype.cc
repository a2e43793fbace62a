#include "warden/base/dtype.h"

namespace warden {
namespace {

struct Facts {
  std::string_view name;
  size_t size;
};

// In the order of the enumeration.
constexpr std::array<Facts, 16> kFacts = {{{"float16", 2},
                                           {"bfloat16", 2},
                                           {"float32", 4},
                                           {"float64", 8},
                                           {"int8", 1},
                                           {"int16", 2},
                                           {"int32", 4},
                                           {"int64", 8},
                                           {"uint8", 1},
                                           {"uint16", 2},
                                           {"uint32", 4},
                                           {"uint64", 8},
                                           {"bool", 1},
                                           {"complex64", 8},
                                           {"complex128", 16},
                                           {"str", 0}}};

}  // namespace

size_t DTypeSize(DType dtype) { return kFacts[static_cast<size_t>(dtype)].size; }

std::string_view DTypeName(DType dtype) { return kFacts[static_cast<size_t>(dtype)].name; }

std::optional<DType> ParseDType(std::string_view name) {
  for (DType dtype : kAllDTypes) {
    if (DTypeName(dtype) == name) return dtype;
  }
  return std::nullopt;
}

bool IsFloating(DType dtype) { return dtype <= DType::kFloat64; }

bool IsInteger(DType dtype) { return dtype >= DType::kInt8 && dtype <= DType::kUInt64; }

bool IsComplex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

}  // namespace warden
