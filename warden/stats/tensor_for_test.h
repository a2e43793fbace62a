#ifndef WARDEN_STATS_TENSOR_FOR_TEST_H_
#define WARDEN_STATS_TENSOR_FOR_TEST_H_

#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "warden/stats/element.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The bits of a value of the element type. REQUIRES: the type can hold it.
template <class T>
T FromDouble(double value) {
  if constexpr (std::is_same_v<T, Bool>) {
    return Bool{static_cast<uint8_t>(value != 0)};
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    return BFloat16{static_cast<uint16_t>(bits >> 16)};
  } else if constexpr (std::is_same_v<T, Float16>) {
    const int sign = std::signbit(value) ? 0x8000 : 0;
    if (!std::isfinite(value))
      return Float16{static_cast<uint16_t>(sign | 0x7C00 | std::isnan(value))};
    // Of a subnormal the leading bit is missing, which takes one off the exponent, too.
    const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
    const int mantissa = static_cast<int>(std::scalbn(std::abs(value), 10 - exponent));
    return Float16{static_cast<uint16_t>(sign | (((exponent + 14) << 10) + mantissa))};
  } else {
    return static_cast<T>(value);
  }
}

// A tensor that owns its elements and lies as many bytes off alignment as asked for.
class TestTensor {
 public:
  TestTensor(DType dtype, std::vector<int64_t> shape, const std::vector<double>& values,
             size_t offset = 0)
      : dtype_(dtype), shape_(std::move(shape)), offset_(offset) {
    bytes_.resize(offset + values.size() * DTypeSize(dtype) + 1);
    (void)VisitReal(dtype, [&]<class T>() {
      for (size_t i = 0; i < values.size(); ++i) {
        const T element = FromDouble<T>(values[i]);
        std::memcpy(bytes_.data() + offset + i * sizeof(T), &element, sizeof(T));
      }
    });
  }
  TestTensor(DType dtype, const std::vector<double>& values, size_t offset = 0)
      : TestTensor(dtype, {static_cast<int64_t>(values.size())}, values, offset) {}

  TensorRef ref() const { return {bytes_.data() + offset_, dtype_, shape_}; }

 private:
  DType dtype_;
  std::vector<int64_t> shape_;
  size_t offset_;
  std::vector<std::byte> bytes_;
};

// Whole numbers from low to high: every type can hold small ones.
inline std::vector<double> RandomIntegers(size_t count, int low, int high, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> uniform(low, high);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(random);
  return values;
}

// Values that a float holds exactly.
inline std::vector<double> RandomNormals(size_t count, double mean, double std, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(mean, std);
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<float>(normal(random));
  return values;
}

// Calls body once for each instruction set that this CPU and this build have.
template <class Body>
void ForEachTarget(Body&& body) {
  const int64_t all = hwy::SupportedTargets();
  for (int64_t left = all; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body(hwy::TargetName(left & -left));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace warden::stats

#endif  // WARDEN_STATS_TENSOR_FOR_TEST_H_
