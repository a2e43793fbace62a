#include "warden/stats/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warden::stats {
namespace {

// Rounds once, straight from double: going through float would round twice.
double RoundToFormat(double value, int precision, int min_exponent, double max) {
  if (!std::isfinite(value) || value == 0) return value;
  const int lowest_bit = std::max(std::ilogb(value), min_exponent) - (precision - 1);
  const double rounded = std::scalbn(std::nearbyint(std::scalbn(value, -lowest_bit)), lowest_bit);
  if (std::abs(rounded) <= max) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

}  // namespace

Status NotRealError(DType dtype) {
  return Status(Code::kInvalidType,
                fmt::format("statistics are not supported for {}", DTypeName(dtype)));
}

double RoundToType(double value, DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return RoundToFormat(value, 11, -14, 65504);
    case DType::kBFloat16: return RoundToFormat(value, 8, -126, 0x1.FEp127);
    case DType::kFloat32: return static_cast<float>(value);
    default: return value;
  }
}

}  // namespace warden::stats
