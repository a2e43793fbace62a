#include "warden/stats/accumulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "warden/stats/element.h"

namespace warden::stats {
namespace {

using cpu::BlockStats;
using cpu::Distances;

// A mean square below which squares of single elements begin to vanish.
template <class T>
constexpr double kTinySquare = std::is_same_v<T, float> ? 0x1p-120 : 0x1p-960;

double AbsMax(double min, double max) { return std::max(std::abs(min), std::abs(max)); }

// Whether every statistic of the block can be relied upon.
template <class T>
bool IsUsual(const BlockStats& block) {
  if (!std::isfinite(block.squares) || !std::isfinite(block.abs_sum)) return false;
  return block.squares >= kTinySquare<T> * static_cast<double>(block.count) ||
         block.min == block.max;
}

Moments FromDistances(uint64_t count, double shift, const Distances& distances) {
  const auto n = static_cast<double>(count);
  Moments moments;
  moments.count = n;
  moments.sum = static_cast<long double>(shift) * n + distances.sum;
  moments.m2 = std::max(0.0, distances.squares - distances.sum * (distances.sum / n));
  return moments;
}

// The shift that the sweep guessed is good if taking the mean out of the squares again loses no
// more than two bits, and if the distances are not much larger than the elements.
bool IsGoodShift(const BlockStats& block) {
  const auto n = static_cast<double>(block.count);
  const double mean_part = block.sum * (block.sum / n);
  return mean_part <= 0.8 * block.squares && std::abs(block.shift) * n <= 2 * block.abs_sum;
}

template <class T>
Moments ValueMoments(const std::byte* data, const BlockStats& block) {
  const Moments guess = FromDistances(block.count, block.shift, {block.sum, block.squares});
  if (IsGoodShift(block)) return guess;
  const auto mean = static_cast<T>(guess.sum / guess.count);
  return FromDistances(block.count, mean, cpu::SumDistances<T>(data, block.count, mean, false));
}

template <class T>
Moments MagnitudeMoments(const std::byte* data, const BlockStats& block, const Moments& values) {
  if (block.min >= 0 || block.max <= 0) return {values.count, std::abs(values.sum), values.m2};
  const long double squares = values.sum_squares();
  const long double m2 = squares - block.abs_sum * (block.abs_sum / values.count);
  if (m2 > squares / 8) return {values.count, block.abs_sum, m2};
  // All magnitudes are much the same: the difference would be mostly rounding.
  const auto mean = static_cast<T>(block.abs_sum / values.count);
  return FromDistances(block.count, mean, cpu::SumDistances<T>(data, block.count, mean, true));
}

// For subnormal doubles, which have no mantissa that the kernel could cut out.
void MultiplyOneByOne(const std::byte* data, size_t count, RunningProduct* product) {
  for (size_t i = 0; i < count; ++i) {
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(ReadElement<double>(data, i)), &exponent);
    product->Multiply({mantissa, exponent});
  }
}

}  // namespace

template <class T>
void Accumulator::Add(const std::byte* data, size_t count) {
  range_.count += count;
  const BlockStats block = cpu::Sweep<T>(data, count);
  if (IsUsual<T>(block)) {
    AddUsual<T>(data, block);
  } else {
    AddUnusual<T>(data, count);
  }
}
template void Accumulator::Add<float>(const std::byte* data, size_t count);
template void Accumulator::Add<double>(const std::byte* data, size_t count);

template <class T>
void Accumulator::AddUsual(const std::byte* data, const BlockStats& block) {
  AddRange<T>(data, block);
  AddProduct<T>(data, block);
  AddSums<T>(data, block, 0);
}

template <class T>
void Accumulator::AddUnusual(const std::byte* data, size_t count) {
  std::array<double, cpu::kBlockSize> finite;
  size_t finite_count = 0;
  for (size_t i = 0; i < count; ++i) {
    const T value = ReadElement<T>(data, i);
    const bool is_nan = std::isnan(value);
    const bool is_inf = std::abs(value) > std::numeric_limits<T>::max();
    finite[finite_count] = value;
    finite_count += !is_nan && !is_inf;
    range_.nan_count += is_nan;
    range_.pos_inf_count += is_inf && value > 0;
    range_.neg_inf_count += is_inf && value < 0;
  }
  if (finite_count == 0) return;
  const auto* bytes = reinterpret_cast<const std::byte*>(finite.data());
  const BlockStats block = cpu::Sweep<double>(bytes, finite_count);
  if (IsUsual<double>(block)) {
    AddUsual<double>(bytes, block);
  } else {
    AddExtreme(finite.data(), block);
  }
}

void Accumulator::AddExtreme(double* values, const BlockStats& block) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  // Comparisons, counts and logarithms are right at any magnitude.
  AddRange<double>(bytes, block);
  AddProduct<double>(bytes, block);
  const int exponent = std::ilogb(AbsMax(block.min, block.max));
  for (size_t i = 0; i < block.count; ++i) values[i] = std::scalbn(values[i], -exponent);
  AddSums<double>(bytes, cpu::Sweep<double>(bytes, block.count), exponent);
}

template <class T>
void Accumulator::AddRange(const std::byte* data, const BlockStats& block) {
  const bool first = values_.count == 0;
  range_.min = first ? block.min : std::min(range_.min, block.min);
  range_.max = first ? block.max : std::max(range_.max, block.max);
  range_.abs_min = first ? block.abs_min : std::min(range_.abs_min, block.abs_min);
  range_.negative_count += block.negative_count;
  // Blocks without a zero are common, and the others are still in the cache.
  if (block.abs_min == 0) range_.zero_count += cpu::CountZeros<T>(data, block.count);
}

template <class T>
void Accumulator::AddProduct(const std::byte* data, const BlockStats& block) {
  if (range_.zero_count != 0) return;
  const bool subnormal = block.abs_min < static_cast<double>(std::numeric_limits<T>::min());
  const double low = subnormal ? -std::numeric_limits<double>::infinity() : block.log2_prod_low;
  if (product_mode_ == ProductMode::kSkipIfOutOfRange &&
      product_.CanSkip(low, block.log2_prod_high)) {
    product_.Skip(low, block.log2_prod_high);
    return;
  }
  if constexpr (std::is_same_v<T, double>) {
    if (subnormal) return MultiplyOneByOne(data, block.count, &product_);
  }
  product_.Multiply(cpu::Multiply<T>(data, block.count));
}

template <class T>
void Accumulator::AddSums(const std::byte* data, const BlockStats& block, int exponent) {
  Moments values = ValueMoments<T>(data, block);
  Moments magnitudes = MagnitudeMoments<T>(data, block, values);
  if (exponent != 0) {
    values.Scale(exponent);
    magnitudes.Scale(exponent);
  }
  sum_squares_ += values.sum_squares();
  values_.Merge(values);
  magnitudes_.Merge(magnitudes);
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
  const double magnitude = out.zero_count != 0 ? 0 : product_.value();
  out.prod = out.negative_count % 2 == 0 || magnitude == 0 ? magnitude : -magnitude;
  return out;
}

}  // namespace warden::stats
