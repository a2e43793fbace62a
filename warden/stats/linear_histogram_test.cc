#include "warden/stats/linear_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace warden::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
LinearHistogram Make(const std::vector<T>& values, DType dtype, int bins = 20) {
  const int64_t size = std::ssize(values);
  auto histogram = MakeLinearHistogram({values.data(), dtype, std::span(&size, 1)}, bins);
  EXPECT_TRUE(histogram.ok()) << histogram.status().message();
  return histogram.value();
}

LinearHistogram MakeDoubles(const std::vector<double>& values, int bins = 20) {
  return Make(values, DType::kFloat64, bins);
}

uint64_t Total(const LinearHistogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(),
                         histogram.below + histogram.above);
}

TEST(LinearHistogramTest, EdgesAreRoundAndCountsComplete) {
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(i / 1000.0);
  const LinearHistogram histogram = MakeDoubles(values, 10);
  EXPECT_EQ(histogram.edges.front(), 0);
  EXPECT_DOUBLE_EQ(histogram.edges[1], 0.1);
  EXPECT_EQ(Total(histogram), 1001u);
  EXPECT_LE(histogram.counts.size(), 12u);
  EXPECT_EQ(histogram.zeros, 1u);
}

TEST(LinearHistogramTest, TailsDoNotFlattenTheBulk) {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(std::sin(i));
  values.push_back(1e9);
  values.push_back(-1e9);
  const LinearHistogram histogram = MakeDoubles(values);
  EXPECT_GE(histogram.below, 1u);
  EXPECT_GE(histogram.above, 1u);
  EXPECT_GT(histogram.counts.size(), 10u);
  EXPECT_EQ(Total(histogram), values.size());
}

TEST(LinearHistogramTest, CountsWhatIsNotFiniteApart) {
  const LinearHistogram histogram = MakeDoubles({1, NAN, kInfinity, -kInfinity, 2, 0});
  EXPECT_EQ(histogram.count, 6u);
  EXPECT_EQ(histogram.nan, 1u);
  EXPECT_EQ(histogram.pos_inf, 1u);
  EXPECT_EQ(histogram.neg_inf, 1u);
  EXPECT_EQ(Total(histogram), 3u);
}

TEST(LinearHistogramTest, WholeNumbersHaveBinsOfTheirOwn) {
  const LinearHistogram histogram = Make<int32_t>({3, 3, 5}, DType::kInt32);
  EXPECT_TRUE(histogram.whole_numbers);
  EXPECT_EQ(histogram.counts, (std::vector<uint64_t>{2, 0, 1}));
  const LinearHistogram booleans = Make<uint8_t>({1, 0, 1}, DType::kBool);
  EXPECT_EQ(booleans.counts, (std::vector<uint64_t>{1, 2}));
}

TEST(LinearHistogramTest, TakesAnyNumbers) {
  const double largest = std::numeric_limits<double>::max();
  const double smallest = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> cases = {
      {},
      {NAN},
      {7, 7, 7},
      {-largest, largest},
      {0, smallest},
      {1e300, 1e300 * (1 + 1e-15)},
      {largest},
      {-largest, -1, 0, 1, largest},
  };
  for (const auto& values : cases) {
    const LinearHistogram histogram = MakeDoubles(values);
    const auto finite = std::count_if(values.begin(), values.end(),
                                      [](double value) { return std::isfinite(value); });
    EXPECT_EQ(Total(histogram), static_cast<uint64_t>(finite));
  }
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Total(Make<int64_t>({most, most - 1, most}, DType::kInt64)), 3u);
  EXPECT_EQ(Total(Make<int64_t>({-most, most}, DType::kInt64)), 2u);
}

TEST(LinearHistogramTest, RefusesWhatHasNoOrder) {
  const int64_t size = 1;
  const double value[2] = {1, 2};
  EXPECT_EQ(
      MakeLinearHistogram({value, DType::kComplex128, std::span(&size, 1)}, 5).status().code(),
      Code::kInvalidType);
}

}  // namespace
}  // namespace warden::stats
