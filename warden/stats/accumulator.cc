#include "warden/stats/accumulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace warden::stats {
namespace {

using cpu::BlockStats;

// Magnitudes of which thousands of squares neither overflow nor vanish.
constexpr double kLargest = 0x1p480;
constexpr double kSmallest = 0x1p-480;

double AbsMax(double min, double max) { return std::max(std::abs(min), std::abs(max)); }

// Whether every figure of the block can be relied upon. Zeros may hide subnormal numbers here, but
// then the product is zero anyway.
bool IsUsual(const BlockStats& block) {
  if (!std::isfinite(block.squares)) return false;
  const double abs_max = AbsMax(block.min, block.max);
  if (abs_max == 0) return true;
  return abs_max <= kLargest && abs_max >= kSmallest &&
         (block.abs_min == 0 || block.abs_min >= std::numeric_limits<double>::min());
}

Moments MakeMoments(uint64_t count, double shift, double sum, double squares) {
  const auto n = static_cast<double>(count);
  Moments moments;
  moments.count = n;
  moments.sum = static_cast<long double>(shift) * n + sum;
  moments.m2 = std::max(0.0, squares - sum * (sum / n));
  return moments;
}

double SignedProduct(const Summary& range, double mantissa, int64_t exponent) {
  if (range.zero_count != 0) return 0;
  constexpr int64_t kFarBeyond = 5000;  // Of all exponents of double, and scalbn takes it.
  const auto clamped = static_cast<int>(std::clamp(exponent, -kFarBeyond, kFarBeyond));
  const double magnitude = std::scalbn(mantissa, clamped);
  return range.negative_count % 2 == 0 ? magnitude : -magnitude;
}

}  // namespace

template <class T>
void Accumulator::Add(const T* data, size_t count) {
  range_.count += count;
  const BlockStats block = cpu::ComputeBlock(data, count);
  if (IsUsual(block)) {
    AddUsual(block);
  } else {
    AddUnusual(data, count);
  }
}
template void Accumulator::Add(const float* data, size_t count);
template void Accumulator::Add(const double* data, size_t count);

void Accumulator::AddUsual(const BlockStats& block) {
  AddRange(block);
  AddSums(block, 0);
  AddProduct(block.mantissa, block.exponent);
}

template <class T>
void Accumulator::AddUnusual(const T* data, size_t count) {
  std::array<double, kBlockSize> finite;
  size_t finite_count = 0;
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data + i, sizeof(T));
    finite[finite_count] = value;
    const bool is_nan = value != value;
    const bool is_inf = std::abs(value) > std::numeric_limits<T>::max();
    range_.nan_count += is_nan;
    range_.pos_inf_count += is_inf && value > 0;
    range_.neg_inf_count += is_inf && value < 0;
    finite_count += !is_nan && !is_inf;
  }
  if (finite_count == 0) return;
  const BlockStats block = cpu::ComputeBlock(finite.data(), finite_count);
  if (IsUsual(block)) {
    AddUsual(block);
  } else {
    AddExtreme(finite.data(), block);
  }
}

void Accumulator::AddExtreme(double* data, const BlockStats& block) {
  AddRange(block);  // Comparing and counting stays exact.
  const int exponent = std::ilogb(AbsMax(block.min, block.max));
  for (size_t i = 0; i < block.count; ++i) {
    int element_exponent = 0;
    AddProduct(std::abs(std::frexp(data[i], &element_exponent)), 0);
    exponent_ += element_exponent;
    data[i] = std::scalbn(data[i], -exponent);
  }
  AddSums(cpu::ComputeBlock(data, block.count), exponent);
}

void Accumulator::AddRange(const BlockStats& block) {
  const bool first = values_.count == 0;
  range_.min = first ? block.min : std::min(range_.min, block.min);
  range_.max = first ? block.max : std::max(range_.max, block.max);
  range_.abs_min = first ? block.abs_min : std::min(range_.abs_min, block.abs_min);
  range_.zero_count += block.zero_count;
  range_.negative_count += block.negative_count;
}

void Accumulator::AddSums(const BlockStats& block, int exponent) {
  Moments values = MakeMoments(block.count, block.shift, block.sum, block.squares);
  Moments magnitudes =
      MakeMoments(block.count, std::abs(block.shift), block.abs_sum, block.abs_squares);
  if (exponent != 0) {
    values.Scale(exponent);
    magnitudes.Scale(exponent);
  }
  sum_squares_ += values.m2 + values.sum * (values.sum / values.count);
  values_.Merge(values);
  magnitudes_.Merge(magnitudes);
}

void Accumulator::AddProduct(double mantissa, int64_t exponent) {
  int carry = 0;
  mantissa_ = std::frexp(mantissa_ * mantissa, &carry);
  exponent_ += exponent + carry;
}

Summary Accumulator::Finish() const {
  Summary out = range_;
  if (values_.count == 0) return out;
  out.abs_max = AbsMax(out.min, out.max);
  out.sum = static_cast<double>(values_.sum);
  out.abs_sum = static_cast<double>(magnitudes_.sum);
  out.sum_squares = static_cast<double>(sum_squares_);
  out.l2 = static_cast<double>(std::sqrt(sum_squares_));
  out.mean = static_cast<double>(values_.sum / values_.count);
  out.m2 = static_cast<double>(values_.m2);
  out.abs_m2 = static_cast<double>(magnitudes_.m2);
  out.prod = SignedProduct(range_, mantissa_, exponent_);
  return out;
}

}  // namespace warden::stats
