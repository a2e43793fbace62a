#include "warden/stats/quantile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "warden/stats/tensor_for_test.h"

namespace warden::stats {
namespace {

double QuantileOf(DType dtype, const std::vector<double>& values, double q) {
  const TestTensor tensor(dtype, values, 1);
  return Quantile(tensor.ref(), q).value();
}

// By sorting.
double Reference(std::vector<double> values, double q) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  std::ranges::sort(values);
  const double position = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<size_t>(position);
  const size_t high = std::min(low + 1, values.size() - 1);
  const double fraction = position - static_cast<double>(low);
  return values[low] + (values[high] - values[low]) * fraction;
}

TEST(Quantile, AsNumPyDoes) {
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
  EXPECT_EQ(QuantileOf(DType::kFloat32, values, 0), 1);
  EXPECT_EQ(QuantileOf(DType::kFloat32, values, 1), 9);
  EXPECT_EQ(QuantileOf(DType::kFloat32, values, 0.5), 3.5);
  EXPECT_EQ(QuantileOf(DType::kFloat32, values, 0.25), 1.75);
  EXPECT_NEAR(QuantileOf(DType::kFloat32, values, 0.9), 6.9, 1e-12);
}

TEST(Quantile, EveryTypeAndManySizes) {
  for (DType dtype : kAllDTypes) {
    if (IsComplex(dtype) || dtype == DType::kString) continue;
    const bool is_signed = !DTypeName(dtype).starts_with('u') && dtype != DType::kBool;
    for (size_t size = 1; size <= 60; ++size) {
      const auto values =
          RandomIntegers(size, is_signed ? -40 : 0, dtype == DType::kBool ? 1 : 40, 21);
      for (double q : {0.0, 0.01, 0.25, 0.5, 0.77, 1.0}) {
        EXPECT_NEAR(QuantileOf(dtype, values, q), Reference(values, q), 1e-12)
            << DTypeName(dtype) << ' ' << size << ' ' << q;
      }
    }
  }
}

TEST(Quantile, KeysOfFullWidth) {
  auto values = RandomNormals(5000, 0, 1, 23);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] *= std::pow(10.0, static_cast<double>(i % 37) - 18);
  for (double q : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const double want = Reference(values, q);
    EXPECT_NEAR(QuantileOf(DType::kFloat64, values, q), want, 1e-12 * std::abs(want));
  }
}

TEST(Quantile, OfWholeInt64) {
  const double low = -0x1p63;
  EXPECT_EQ(QuantileOf(DType::kInt64, {0, low, 5}, 0), low);
  EXPECT_EQ(QuantileOf(DType::kInt64, {0, low, 5}, 0.5), 0);
  EXPECT_EQ(QuantileOf(DType::kUInt64, {0x1p63, 1, 5}, 1), 0x1p63);
}

TEST(Quantile, LeavesOutWhatIsNotFinite) {
  const std::vector<double> values = {kNaN, 2, kInf, -kInf, 1, -kNaN, 3};
  for (DType dtype : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    EXPECT_EQ(QuantileOf(dtype, values, 0), 1);
    EXPECT_EQ(QuantileOf(dtype, values, 0.5), 2);
    EXPECT_EQ(QuantileOf(dtype, values, 1), 3);
  }
}

TEST(Quantile, Refuses) {
  const TestTensor none(DType::kFloat32, {kNaN});
  const TestTensor one(DType::kFloat32, {1});
  EXPECT_EQ(Quantile(none.ref(), 0.5).status().code(), Code::kNotFound);
  EXPECT_EQ(Quantile(one.ref(), -0.1).status().code(), Code::kInvalid);
  EXPECT_EQ(Quantile(one.ref(), 1.1).status().code(), Code::kInvalid);
  EXPECT_EQ(Quantile(one.ref(), kNaN).status().code(), Code::kInvalid);
  EXPECT_EQ(Quantile({nullptr, DType::kComplex64, {}}, 0.5).status().code(), Code::kInvalidType);
  EXPECT_EQ(Median(one.ref()).value(), 1);
}

}  // namespace
}  // namespace warden::stats
