#include "warden/stats/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "warden/stats/tensor_for_test.h"

namespace warden::stats {
namespace {

Result<Histogram> HistogramOf(const std::vector<double>& values) {
  const TestTensor tensor(DType::kFloat64, values, 3);
  return MakeHistogram(tensor.ref());
}

// By searching, as the definition reads: the bin of value, -1 if outside.
int ReferenceBin(double value) {
  const auto edges = BinEdges();
  if (value == edges.back()) return kBinEdges - 2;
  const auto above = std::upper_bound(edges.begin(), edges.end(), value);
  if (above == edges.begin() || above == edges.end()) return -1;
  return static_cast<int>(above - edges.begin()) - 1;
}

void ExpectInReferenceBin(double value) {
  BinCounts bins;
  ASSERT_TRUE(CountBins(TestTensor(DType::kFloat64, {value}).ref(), &bins).ok());
  const int want = ReferenceBin(value);
  if (want < 0) {
    EXPECT_EQ(bins.outside, 1u) << value;
  } else {
    EXPECT_EQ(bins.counts[static_cast<size_t>(want)], 1u) << value;
    EXPECT_EQ(bins.outside, 0u) << value;
  }
}

TEST(BinEdges, AreTensorBoards) {
  const auto edges = BinEdges();
  EXPECT_EQ(edges.front(), -9.920775621859783e19);
  EXPECT_EQ(edges.back(), 9.920775621859783e19);
  EXPECT_EQ(edges[774], 0);
  EXPECT_EQ(edges[775], 1e-12);
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
}

TEST(CountBins, ExactAtEveryEdge) {
  for (double edge : BinEdges()) {
    ExpectInReferenceBin(edge);
    ExpectInReferenceBin(std::nextafter(edge, kInf));
    ExpectInReferenceBin(std::nextafter(edge, -kInf));
  }
}

TEST(CountBins, AllOverTheRange) {
  for (double value = 1e-14; value < 1e21; value *= 1.003) {
    ExpectInReferenceBin(value);
    ExpectInReferenceBin(-value);
  }
  for (double value : {0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, kInf, -kInf}) {
    ExpectInReferenceBin(value);
  }
}

TEST(CountBins, NaNIsCountedApart) {
  BinCounts bins;
  ASSERT_TRUE(CountBins(TestTensor(DType::kFloat32, {kNaN, -kNaN, 1}).ref(), &bins).ok());
  EXPECT_EQ(bins.nan, 2u);
  EXPECT_EQ(bins.outside, 0u);
}

TEST(CountBins, EveryType) {
  for (DType dtype : kAllDTypes) {
    BinCounts bins;
    if (IsComplex(dtype) || dtype == DType::kString) {
      EXPECT_EQ(CountBins({nullptr, dtype, {}}, &bins).code(), Code::kInvalidType);
      continue;
    }
    ASSERT_TRUE(CountBins(TestTensor(dtype, {0, 1, 1}, 1).ref(), &bins).ok());
    EXPECT_EQ(bins.counts[774], 1u) << DTypeName(dtype);
    EXPECT_EQ(bins.counts[static_cast<size_t>(ReferenceBin(1))], 2u) << DTypeName(dtype);
  }
}

TEST(MakeHistogram, OneZero) {
  const Histogram got = HistogramOf({0}).value();
  EXPECT_EQ(got.limits, (std::vector<double>{0, 1e-12}));
  EXPECT_EQ(got.counts, (std::vector<double>{0, 1}));
}

TEST(MakeHistogram, One) {
  const Histogram got = HistogramOf({1}).value();
  EXPECT_EQ(got.limits, (std::vector<double>{0.917246389039776, 1.0089710279437536}));
  EXPECT_EQ(got.counts, (std::vector<double>{0, 1}));
}

TEST(MakeHistogram, SeveralValues) {
  const Histogram got = HistogramOf({1, 2, 2, -3.5, 0}).value();
  ASSERT_EQ(got.counts.size(), 605u);
  ASSERT_EQ(got.limits.size(), 605u);
  EXPECT_EQ(got.limits.front(), -3.8315657995195243);
  EXPECT_EQ(got.limits.back(), 2.1628190051144287);
  EXPECT_EQ(got.counts.front(), 0);
  EXPECT_EQ(got.counts[1], 1);
  EXPECT_EQ(got.counts.back(), 2);
  EXPECT_EQ(got.num, 5);
  EXPECT_EQ(got.min, -3.5);
  EXPECT_EQ(got.max, 2);
  EXPECT_EQ(got.sum, 1.5);
  EXPECT_EQ(got.sum_squares, 21.25);
}

TEST(MakeHistogram, FirstBin) {
  const Histogram got = HistogramOf({-9.9e19}).value();
  EXPECT_EQ(got.limits.front(), BinEdges().front());
  EXPECT_EQ(got.counts, (std::vector<double>{0, 1}));
}

TEST(MakeHistogram, NothingInside) {
  for (const auto& values : std::vector<std::vector<double>>{{1e21}, {}, {kNaN}, {kInf}}) {
    EXPECT_EQ(HistogramOf(values).status().code(), Code::kInvalid);
  }
}

TEST(MakeHistogram, StatisticsAreOverAllValues) {
  const Histogram infinite = HistogramOf({1, kInf}).value();
  EXPECT_EQ(infinite.max, kInf);
  EXPECT_EQ(infinite.sum_squares, kInf);
  EXPECT_EQ(infinite.num, 2);
  const Histogram nan = HistogramOf({1, kNaN}).value();
  EXPECT_TRUE(std::isnan(nan.min) && std::isnan(nan.sum) && std::isnan(nan.sum_squares));
}

}  // namespace
}  // namespace warden::stats
