#include "warden/stats/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "warden/stats/cpu/block_kernel.h"
#include "warden/stats/tensor_for_test.h"

namespace warden::stats {
namespace {

constexpr DType kRealTypes[] = {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64,
                                DType::kInt8,    DType::kInt16,    DType::kInt32,   DType::kInt64,
                                DType::kUInt8,   DType::kUInt16,   DType::kUInt32,  DType::kUInt64,
                                DType::kBool};

bool HoldsNegative(DType dtype) {
  return IsFloating(dtype) || dtype == DType::kInt8 || dtype == DType::kInt16 ||
         dtype == DType::kInt32 || dtype == DType::kInt64;
}

void CountReference(double x, Summary* out) {
  out->nan_count += std::isnan(x);
  out->pos_inf_count += x == kInf;
  out->neg_inf_count += x == -kInf;
  out->zero_count += x == 0;
  out->negative_count += x < 0 && x != -kInf;
}

double SquaredDistances(const std::vector<double>& values, long double mean) {
  long double total = 0;
  for (double x : values) total += (x - mean) * (x - mean);
  return static_cast<double>(total);
}

// The definitions, in as many passes as they like.
Summary Reference(const std::vector<double>& values) {
  Summary out;
  out.count = values.size();
  std::vector<double> finite, magnitudes;
  for (double x : values) {
    CountReference(x, &out);
    if (!std::isfinite(x)) continue;
    finite.push_back(x);
    magnitudes.push_back(std::abs(x));
  }
  if (finite.empty()) return out;
  long double sum = 0, abs_sum = 0, squares = 0, mantissa = 1;
  int64_t exponent = 0;
  for (double x : finite) {
    sum += x;
    abs_sum += std::abs(x);
    squares += static_cast<long double>(x) * x;
    int carry = 0;
    mantissa = std::frexp(mantissa * x, &carry);
    exponent += carry;
  }
  const auto n = static_cast<long double>(finite.size());
  out.min = *std::ranges::min_element(finite);
  out.max = *std::ranges::max_element(finite);
  out.abs_min = *std::ranges::min_element(magnitudes);
  out.abs_max = *std::ranges::max_element(magnitudes);
  out.sum = static_cast<double>(sum);
  out.abs_sum = static_cast<double>(abs_sum);
  out.sum_squares = static_cast<double>(squares);
  out.l2 = static_cast<double>(std::sqrt(squares));
  out.mean = static_cast<double>(sum / n);
  out.m2 = SquaredDistances(finite, sum / n);
  out.abs_m2 = SquaredDistances(magnitudes, abs_sum / n);
  const auto clamped = static_cast<int>(std::clamp<int64_t>(exponent, -9999, 9999));
  out.prod = static_cast<double>(std::scalbn(mantissa, clamped));
  return out;
}

void ExpectClose(double got, double want, double tolerance, const char* what) {
  if (std::isfinite(want)) {
    EXPECT_NEAR(got, want, tolerance) << what;
  } else {
    EXPECT_EQ(got, want) << what;
  }
}

// tolerance is relative: of sums to the sum of magnitudes, which is what rounding depends on.
void ExpectSame(const Summary& got, const Summary& want, double tolerance) {
  EXPECT_EQ(got.count, want.count);
  EXPECT_EQ(got.nan_count, want.nan_count);
  EXPECT_EQ(got.pos_inf_count, want.pos_inf_count);
  EXPECT_EQ(got.neg_inf_count, want.neg_inf_count);
  EXPECT_EQ(got.zero_count, want.zero_count);
  EXPECT_EQ(got.negative_count, want.negative_count);
  EXPECT_EQ(got.min, want.min);
  EXPECT_EQ(got.max, want.max);
  EXPECT_EQ(got.abs_min, want.abs_min);
  EXPECT_EQ(got.abs_max, want.abs_max);
  const double n = std::max(1.0, static_cast<double>(want.finite_count()));
  ExpectClose(got.sum, want.sum, tolerance * want.abs_sum, "sum");
  ExpectClose(got.mean, want.mean, tolerance * want.abs_sum / n, "mean");
  ExpectClose(got.abs_sum, want.abs_sum, tolerance * want.abs_sum, "abs_sum");
  ExpectClose(got.sum_squares, want.sum_squares, tolerance * want.sum_squares, "sum_squares");
  ExpectClose(got.l2, want.l2, tolerance * want.l2, "l2");
  ExpectClose(got.m2, want.m2, tolerance * want.m2, "m2");
  ExpectClose(got.abs_m2, want.abs_m2, tolerance * want.abs_m2, "abs_m2");
  ExpectClose(got.prod, want.prod, 1e-9 * std::abs(want.prod), "prod");
}

void ExpectIdentical(const Summary& a, const Summary& b) {
  EXPECT_EQ(std::memcmp(&a, &b, sizeof(Summary)), 0);
}

Summary SummaryOf(DType dtype, const std::vector<double>& values, size_t offset = 0) {
  const TestTensor tensor(dtype, values, offset);
  return Summarize(tensor.ref()).value();
}

// Sums of up to a vector of floats are exact; beyond it they round as floats do.
double ToleranceOf(DType dtype) {
  const bool in_float = dtype != DType::kFloat64 && IsFloating(dtype);
  return in_float ? 6e-7 : 1e-13;
}

TEST(Summarize, NothingAtAll) {
  const Summary empty = SummaryOf(DType::kFloat32, {});
  ExpectIdentical(empty, Summary());
}

TEST(Summarize, Scalar) {
  const TestTensor tensor(DType::kFloat32, std::vector<int64_t>(), {-2.5});
  const Summary summary = Summarize(tensor.ref()).value();
  ExpectSame(summary, Reference({-2.5}), 1e-15);
  EXPECT_EQ(summary.m2, 0);
}

TEST(Summarize, RefusesComplexNumbersAndStrings) {
  for (DType dtype : {DType::kComplex64, DType::kComplex128, DType::kString}) {
    const int64_t shape[] = {0};
    EXPECT_EQ(Summarize({nullptr, dtype, shape}).status().code(), Code::kInvalidType);
  }
}

TEST(Summarize, EveryTypeAndSizeOnEveryTarget) {
  ForEachTarget([](const char* target) {
    for (DType dtype : kRealTypes) {
      const bool is_bool = dtype == DType::kBool;
      const int low = HoldsNegative(dtype) ? -50 : 0;
      for (size_t size = 0; size <= 300; size += size < 70 ? 1 : 23) {
        SCOPED_TRACE(testing::Message() << target << ' ' << DTypeName(dtype) << ' ' << size);
        const auto values = RandomIntegers(size, low, is_bool ? 1 : 60, 7);
        ExpectSame(SummaryOf(dtype, values, size % 7), Reference(values), ToleranceOf(dtype));
      }
    }
  });
}

TEST(Summarize, EverySizeOfFloatsOnEveryTarget) {
  ForEachTarget([](const char* target) {
    const auto all = RandomNormals(300, 0.1, 1, 3);
    for (size_t size = 0; size <= all.size(); ++size) {
      SCOPED_TRACE(testing::Message() << target << ' ' << size);
      const std::vector<double> values(all.begin(), all.begin() + static_cast<ptrdiff_t>(size));
      ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
      ExpectSame(SummaryOf(DType::kFloat64, values), Reference(values), 1e-13);
    }
  });
}

TEST(Summarize, AroundBlocks) {
  const size_t block = cpu::kBlockSize;
  ForEachTarget([&](const char* target) {
    for (size_t size : {block - 1, block, block + 1, 2 * block - 1, 2 * block, 3 * block + 17}) {
      SCOPED_TRACE(testing::Message() << target << ' ' << size);
      const auto values = RandomNormals(size, 3, 1, 5);
      ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
      ExpectSame(SummaryOf(DType::kFloat64, values), Reference(values), 1e-13);
    }
  });
}

TEST(Summarize, NonFiniteElementsAnywhere) {
  ForEachTarget([](const char* target) {
    for (size_t size : {1u, 5u, 16u, 37u, 67u}) {
      for (size_t at = 0; at < size; ++at) {
        SCOPED_TRACE(testing::Message() << target << ' ' << size << ' ' << at);
        auto values = RandomNormals(size, 0, 1, 9);
        for (double bad : {kNaN, kInf, -kInf}) {
          values[at] = bad;
          for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
            ExpectSame(SummaryOf(dtype, values), Reference(values), 1e-12);
          }
        }
      }
    }
  });
}

TEST(Summarize, NonFiniteElementsOfHalfTypes) {
  const std::vector<double> values = {kNaN, kInf, -kInf, 0, -0.0, 0.5, -2};
  for (DType dtype : {DType::kFloat16, DType::kBFloat16}) {
    ExpectSame(SummaryOf(dtype, values), Reference(values), 1e-15);
  }
}

TEST(Summarize, OnlyNonFiniteElements) {
  const std::vector<double> values(5000, kInf);
  ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 0);
  EXPECT_EQ(SummaryOf(DType::kFloat32, values).prod, 1);
}

TEST(Summarize, WhereTheDataLiesChangesNothing) {
  const auto values = RandomNormals(10'007, 1, 2, 11);
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    const Summary aligned = SummaryOf(dtype, values, 0);
    for (size_t offset : {1u, 2u, 3u, 4u, 8u, 31u}) {
      ExpectIdentical(SummaryOf(dtype, values, offset), aligned);
    }
  }
}

// Data for which sums of plain squares, or a badly chosen shift, would lose everything.
TEST(Summarize, VarianceDoesNotCancel) {
  ForEachTarget([](const char* target) {
    SCOPED_TRACE(target);
    for (double mean : {1e3, -1e5, 1e7}) {
      const auto values = RandomNormals(9000, mean, 1, 13);
      ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
      ExpectSame(SummaryOf(DType::kFloat64, values), Reference(values), 1e-10);
    }
    auto values = RandomNormals(9000, 1000, 1, 13);
    for (size_t i = 0; i < values.size(); i += 3) values[i] = -values[i];
    ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
  });
}

TEST(Summarize, OneElementFarOff) {
  for (size_t at : {0u, 3u, 4095u, 4096u, 8999u}) {
    for (double far : {1e6, -1e15, 1e30}) {
      SCOPED_TRACE(testing::Message() << at << ' ' << far);
      auto values = RandomNormals(9000, 1, 0.01, 13);
      values[at] = static_cast<float>(far);
      ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
    }
  }
}

TEST(Summarize, ConstantsHaveNoVariance) {
  for (double value : {0.1f, -3.3f, 1e-30f, 3e38f}) {
    auto values = std::vector<double>(10'000, value);
    EXPECT_EQ(SummaryOf(DType::kFloat32, values).m2, 0) << value;
    for (size_t i = 0; i < values.size(); i += 2) values[i] = -value;
    EXPECT_EQ(SummaryOf(DType::kFloat32, values).abs_m2, 0) << value;
    ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
  }
}

TEST(Summarize, DriftingData) {
  std::vector<double> values(100'000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.25;
  ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
}

TEST(Summarize, ExtremeMagnitudes) {
  for (double scale : {1e200, 1e-200, 1e300, 1e-300, 5e-324 * 1024}) {
    auto values = RandomNormals(6000, 1, 1, 17);
    for (double& value : values) value *= scale;
    SCOPED_TRACE(scale);
    const Summary got = SummaryOf(DType::kFloat64, values);
    ExpectSame(got, Reference(values), 1e-11);
    EXPECT_GT(got.l2, 0);
    EXPECT_TRUE(std::isfinite(got.l2));
  }
  for (double scale : {1e38, 1e-25, 1e-38, 1e-44}) {
    auto values = RandomIntegers(6000, -3, 3, 17);
    for (double& value : values) value = static_cast<float>(value * scale);
    SCOPED_TRACE(scale);
    ExpectSame(SummaryOf(DType::kFloat32, values), Reference(values), 6e-7);
  }
}

TEST(Summarize, SumsThatOverflowOnTheWay) {
  const double big = std::numeric_limits<double>::max();
  std::vector<double> values(9000, big);
  std::fill(values.begin() + 4500, values.end(), -big);
  const Summary summary = SummaryOf(DType::kFloat64, values);
  EXPECT_NEAR(summary.sum, 0, 1e-12 * big);
  EXPECT_NEAR(summary.mean, 0, 1e-15 * big);
  EXPECT_EQ(summary.abs_sum, kInf);
  EXPECT_EQ(summary.m2, kInf);
}

TEST(Summarize, ProductsThatFit) {
  ForEachTarget([](const char* target) {
    SCOPED_TRACE(target);
    for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
      std::vector<double> values(100'000, 0.999f);
      ExpectSame(SummaryOf(dtype, values), Reference(values), 6e-7);
      values.assign(50'001, -1);
      EXPECT_EQ(SummaryOf(dtype, values).prod, -1);
      values.assign(301, 2);
      values.resize(602, 0.5);
      EXPECT_EQ(SummaryOf(dtype, values).prod, 1);
    }
  });
}

TEST(Summarize, ProductsThatLeaveTheRangeAndComeBack) {
  for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
    std::vector<double> values(10'000, 0x1p-20);
    EXPECT_EQ(SummaryOf(dtype, values).prod, 0);
    values.resize(20'000, 0x1p20);
    EXPECT_EQ(SummaryOf(dtype, values).prod, 1);
    values.resize(30'000, 3);
    EXPECT_EQ(SummaryOf(dtype, values).prod, kInf);
    values.push_back(-3);
    EXPECT_EQ(SummaryOf(dtype, values).prod, -kInf);
    values[25'000] = 0;
    EXPECT_EQ(SummaryOf(dtype, values).prod, 0);
  }
}

TEST(Summarize, ProductsOfSubnormals) {
  const std::vector<double> doubles = {0x1p-1074, 0x1.8p1000, 0x1p60, -3};
  EXPECT_EQ(SummaryOf(DType::kFloat64, doubles).prod, -0x1.8p-14 * 3);
  const std::vector<double> floats = {0x1p-149, 0x1.8p100, -0x1p40};
  EXPECT_EQ(SummaryOf(DType::kFloat32, floats).prod, -0x1.8p-9);
  std::vector<double> mixed(4000, 0x1p-149);
  mixed.resize(8000, 0x1p127);
  EXPECT_EQ(SummaryOf(DType::kFloat32, mixed).prod, 0);
}

TEST(Summarize, LargeIntegers) {
  const double big = 0x1p62;
  const Summary summary = SummaryOf(DType::kInt64, {big, -big, big, 1});
  EXPECT_EQ(summary.max, big);
  EXPECT_EQ(summary.sum, big);
  EXPECT_EQ(summary.prod, -0x1p186);
}

TEST(Summarize, ManyFloatsAgainstDoubles) {
  for (double mean : {0.25, 1000.0}) {
    std::mt19937_64 random(1);
    std::vector<float> values(1 << 20);
    std::vector<double> doubles(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(mean + static_cast<double>(random() >> 11) * 0x1p-52 - 1);
      doubles[i] = values[i];
    }
    const int64_t shape[] = {static_cast<int64_t>(values.size())};
    const Summary got = Summarize({values.data(), DType::kFloat32, shape}).value();
    ExpectSame(got, Reference(doubles), 1e-7);
  }
}

TEST(Merge, EqualsTheSummaryOfAll) {
  const std::vector<std::vector<double>> cases = {
      {},           {1, 2, -3.5}, {kNaN, kInf}, {-kInf}, {0, -0.0, 7},
      {1e200, 1e3}, {-1e200},     {1e-200},     {5},     RandomNormals(5000, 10, 1, 1)};
  for (const auto& a : cases) {
    for (const auto& b : cases) {
      std::vector<double> both = a;
      both.insert(both.end(), b.begin(), b.end());
      const Summary merged = Merge(SummaryOf(DType::kFloat64, a), SummaryOf(DType::kFloat64, b));
      ExpectSame(merged, Reference(both), 1e-10);
    }
  }
}

TEST(Merge, OverflowStaysInfinite) {
  const double big = std::numeric_limits<double>::max();
  const Summary a = SummaryOf(DType::kFloat64, {big, big});
  const Summary b = SummaryOf(DType::kFloat64, {-big, -big});
  EXPECT_EQ(Merge(a, b).m2, kInf);
  EXPECT_EQ(Merge(a, b).mean, 0);
  EXPECT_EQ(Merge(a, a).sum, kInf);
}

}  // namespace
}  // namespace warden::stats
