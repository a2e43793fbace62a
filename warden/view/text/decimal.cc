#include "warden/view/text/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "warden/stats/element.h"

namespace warden::view {
namespace {

// Enough for float16 and bfloat16, for which the standard library has no shortest form.
constexpr int kMostDigitsOfSixteenBits = 5;

std::string ShortestOfSixteenBits(double value, DType dtype) {
  for (int digits = 0;; ++digits) {
    std::string text = fmt::format("{:.{}e}", value, digits);
    if (digits == kMostDigitsOfSixteenBits ||
        stats::RoundToType(std::strtod(text.c_str(), nullptr), dtype) == value) {
      return text;
    }
  }
}

// "d.ddde±dd".
std::string ShortestScientific(double value, DType dtype) {
  if (dtype == DType::kFloat16 || dtype == DType::kBFloat16) {
    return ShortestOfSixteenBits(value, dtype);
  }
  char text[40];
  const auto end =
      dtype == DType::kFloat32 || dtype == DType::kComplex64
          ? std::to_chars(text, text + sizeof(text), static_cast<float>(value),
                          std::chars_format::scientific)
          : std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific);
  return std::string(text, end.ptr);
}

}  // namespace

Decimal ShortestDecimal(double value, DType dtype) {
  const std::string text = ShortestScientific(value, dtype);
  const size_t e = text.find('e');
  Decimal decimal;
  decimal.negative = std::signbit(value);
  decimal.digits.clear();
  for (const char c : std::string_view(text).substr(0, e)) {
    if (c >= '0' && c <= '9') decimal.digits += c;
  }
  decimal.exponent = std::atoi(text.c_str() + e + 1);
  return decimal;
}

std::string Positional(double value, DType dtype, int most_digits) {
  const Decimal decimal = ShortestDecimal(value, dtype);
  const int needed = static_cast<int>(decimal.digits.size()) - 1 - decimal.exponent;
  std::string text = fmt::format("{:.{}f}", value, std::clamp(needed, 0, most_digits));
  if (text.find('.') == std::string::npos) return text + ".";
  return text.erase(text.find_last_not_of('0') + 1);
}

std::string Scientific(double value, DType dtype, int least_digits, int most_digits) {
  const Decimal decimal = ShortestDecimal(value, dtype);
  const int needed = std::min(static_cast<int>(decimal.digits.size()) - 1, most_digits);
  std::string text = fmt::format("{:.{}e}", value, std::max(needed, least_digits));
  if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".");
  return text;
}

}  // namespace warden::view
