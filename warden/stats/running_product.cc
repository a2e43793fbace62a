#include "warden/stats/running_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warden::stats {
namespace {

// Every double is below 2^1024 and, if it is not zero, above 2^-1075; the rest is for rounding of
// the bounds.
constexpr double kBeyond = 1100;

bool IsOutOfRange(double log2_low, double log2_high) {
  return log2_low > kBeyond || log2_high < -kBeyond;
}

}  // namespace

void RunningProduct::Multiply(const cpu::Product& factor) {
  int carry = 0;
  mantissa_ = std::frexp(mantissa_ * factor.mantissa, &carry);
  exponent_ += factor.exponent + carry;
}

bool RunningProduct::CanSkip(double log2_low, double log2_high) const {
  return IsOutOfRange(exponent_low() + log2_low, exponent_high() + log2_high);
}

void RunningProduct::Skip(double log2_low, double log2_high) {
  skipped_ = true;
  skipped_low_ += log2_low;
  skipped_high_ += log2_high;
}

bool RunningProduct::known() const {
  return !skipped_ || IsOutOfRange(exponent_low(), exponent_high());
}

double RunningProduct::value() const {
  if (skipped_) return exponent_high() < 0 ? 0 : std::numeric_limits<double>::infinity();
  constexpr int64_t kFar = 5000;  // Out of range, and an int.
  return std::scalbn(mantissa_, static_cast<int>(std::clamp(exponent_, -kFar, kFar)));
}

}  // namespace warden::stats
