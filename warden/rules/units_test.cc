#include "warden/rules/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace warden::rules {
namespace {

std::vector<std::pair<uint64_t, uint64_t>> Counts(const std::vector<float>& values,
                                                  const std::vector<int64_t>& shape, double low,
                                                  double high) {
  const stats::TensorRef ref{values.data(), DType::kFloat32, shape};
  std::vector<std::pair<uint64_t, uint64_t>> counts;
  for (const InsideCount& unit : CountInside(ref, UnitsOfActivation(shape), low, high)) {
    counts.emplace_back(unit.finite, unit.inside);
  }
  return counts;
}

using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(CountInside, UnitsLieAlongTheRightAxis) {
  // Rank 1: each value. Rank 2: columns. Rank 3: channels.
  EXPECT_EQ(Counts({1, -1, 2}, {3}, 0, INFINITY), (Pairs{{1, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(Counts({1, -1, 2, -2, 3, -3}, {3, 2}, 0, INFINITY), (Pairs{{3, 3}, {3, 0}}));
  EXPECT_EQ(Counts({1, -1, -1, -1, 1, 1, -1, 1}, {2, 2, 2}, 0, INFINITY), (Pairs{{4, 3}, {4, 1}}));
  EXPECT_EQ(Counts({5}, {}, 0, INFINITY), (Pairs{{1, 1}}));
}

TEST(CountInside, LimitsAreOutsideAndSoIsWhatIsNotFinite) {
  EXPECT_EQ(Counts({0, 2, 1, NAN, INFINITY, -INFINITY}, {6, 1}, 0, 2), (Pairs{{3, 1}}));
  EXPECT_EQ(Counts({0, 1, INFINITY, NAN}, {1, 1, 4}, 0, INFINITY), (Pairs{{2, 1}}));
  EXPECT_EQ(Counts({}, {0, 2}, 0, 1), (Pairs{{0, 0}, {0, 0}}));
  EXPECT_EQ(Counts({}, {2, 0}, 0, 1), Pairs{});
}

TEST(CountInside, LimitsAreNotRoundedToTheTypeOfTheValues) {
  EXPECT_EQ(Counts({0.1f}, {1}, 0.1, 1), (Pairs{{1, 1}}));  // 0.1f is above 0.1 ...
  EXPECT_EQ(Counts({0.7f}, {1}, 0, 0.7), (Pairs{{1, 1}}));  // ... and 0.7f below 0.7.
  EXPECT_EQ(Counts({0.7f}, {1}, 0.7, 1), (Pairs{{1, 0}}));
  EXPECT_EQ(Counts({0.1f}, {1}, 0, 0.1), (Pairs{{1, 0}}));
  EXPECT_EQ(Counts({3e38f, INFINITY}, {2}, -1e300, 1e300), (Pairs{{1, 1}, {0, 0}}));
}

TEST(CountInside, IsTheSameInAndBetweenBlocks) {
  for (const int64_t wide : {63, 64, 65, 130}) {
    std::vector<float> values;
    for (int64_t i = 0; i < 3 * wide; ++i) values.push_back(i % 7 == 0 ? NAN : float(i % 5) - 2);
    uint64_t finite = 0;
    uint64_t inside = 0;
    for (const float value : values) {
      finite += std::isfinite(value) ? 1 : 0;
      inside += value > -1 && value < 2 ? 1 : 0;
    }
    for (const auto& shape : {std::vector<int64_t>{3, wide}, std::vector<int64_t>{1, 3, wide}}) {
      Pairs::value_type sum{0, 0};
      for (const auto& [f, in] : Counts(values, shape, -1, 2)) {
        sum.first += f;
        sum.second += in;
      }
      EXPECT_EQ(sum, Pairs::value_type(finite, inside)) << wide;
    }
  }
}

TEST(UnitMoments, AreThoseOfTheFiniteValues) {
  const std::vector<float> values = {1, 3, 10, NAN, 5, 7, 20, 30};
  const std::vector<int64_t> shape = {2, 2, 2};  // Channel 0: 1 3 5 7; channel 1: 10 20 30.
  const stats::TensorRef ref{values.data(), DType::kFloat32, shape};
  const auto moments = UnitMoments(ref, UnitsOf(shape, 1));
  ASSERT_EQ(moments.size(), 2u);
  EXPECT_EQ(moments[0].count, 4);
  EXPECT_EQ(moments[0].sum, 16);
  EXPECT_EQ(moments[0].m2, 20);
  EXPECT_EQ(moments[1].count, 3);
  EXPECT_EQ(moments[1].sum, 60);
  EXPECT_EQ(moments[1].m2, 200);
  const auto last = UnitMoments(ref, UnitsOf(shape, 2));  // 1 10 5 20 and 3 7 30.
  EXPECT_EQ(last[0].sum, 36);
  EXPECT_EQ(last[1].sum, 40);
}

TEST(Units, OfWhatHoldsNoNumbersThereAreNone) {
  const std::vector<float> values(4);
  const std::vector<int64_t> shape = {2};
  const stats::TensorRef ref{values.data(), DType::kComplex64, shape};
  EXPECT_TRUE(CountInside(ref, UnitsOfActivation(shape), 0, 1).empty());
  EXPECT_TRUE(UnitMoments(ref, UnitsOfActivation(shape)).empty());
}

}  // namespace
}  // namespace warden::rules
