#include "warden/view/values/bin_edges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warden::view {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

// Ascending, none twice, with all values inside.
void ExpectUsable(const std::vector<ValueRange>& ranges, size_t bins) {
  const BinEdges chosen = ChooseEdges(ranges, bins);
  ASSERT_EQ(chosen.edges.size(), bins + 1);
  for (size_t i = 0; i < bins; ++i) {
    ASSERT_TRUE(std::isfinite(chosen.edges[i])) << i;
    ASSERT_LT(chosen.edges[i], chosen.edges[i + 1]) << i;
  }
  for (const ValueRange& range : ranges) {
    EXPECT_GE(range.low, chosen.edges.front());
    EXPECT_LE(range.high, chosen.edges.back());
  }
}

TEST(BinEdges, AreEvenWhereValuesAreOfOneMagnitude) {
  const BinEdges chosen = ChooseEdges(std::vector<ValueRange>{{-1, 2, 0.5}, {-2, 1, 0.4}}, 4);
  EXPECT_EQ(chosen.linear_within, 0);
  EXPECT_EQ(chosen.edges, (std::vector<double>{-2, -1, 0, 1, 2}));
}

TEST(BinEdges, ShowSmallStepsBesideLargeOnes) {
  // Gradients that shrink by ten with every step.
  std::vector<ValueRange> ranges;
  for (double size = 1; size > 1e-7; size /= 10) ranges.push_back({-size, size, size / 3});
  const BinEdges chosen = ChooseEdges(ranges, 64);
  EXPECT_GT(chosen.linear_within, 0);
  const auto bins_within = [&](double size) {
    return std::count_if(chosen.edges.begin(), chosen.edges.end(),
                         [&](double edge) { return std::abs(edge) < size; });
  };
  // Even edges would have one, at zero, and none inside the smallest step's range.
  EXPECT_GE(bins_within(1e-4), 16);
  EXPECT_GE(bins_within(1e-6), 4);
  ExpectUsable(ranges, 64);
}

TEST(BinEdges, OneTinyStepAmongManyDoesNotDecide) {
  std::vector<ValueRange> ranges(30, ValueRange{-1, 1, 0.3});
  ranges.push_back({-1e-9, 1e-9, 1e-10});
  EXPECT_EQ(ChooseEdges(ranges, 10).linear_within, 0);
}

TEST(BinEdges, AreUsableForAnyRange) {
  for (const size_t bins : {2, 64, 512}) {
    ExpectUsable({}, bins);
    ExpectUsable({{0, 0, 0}}, bins);
    ExpectUsable({{3, 3, 3}}, bins);
    ExpectUsable({{-7e300, -7e300, 7e300}}, bins);
    ExpectUsable({{kMost, kMost, kMost}}, bins);
    ExpectUsable({{-kMost, kMost, 1}}, bins);
    ExpectUsable({{-kMost, kMost, kMost}}, bins);
    ExpectUsable({{0, 5e-324, 5e-324}}, bins);
    ExpectUsable({{1e-310, 2e-310, 1e-310}}, bins);
    ExpectUsable({{1, std::nextafter(1, 2), 1}}, bins);
    ExpectUsable({{1e9, 1e9 + 1, 1e9}}, bins);
    ExpectUsable({{1e9, 1e9 + 1, 1e9}, {1, 2, 1e-3}}, bins);
    ExpectUsable({{0, 1e30, 1e-30}}, bins);
    ExpectUsable({{1e20, 1e30, 1e-30}}, bins);
  }
}

}  // namespace
}  // namespace warden::view
