#include "warden/rules/training/loss_curve.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

LossCurve LossCurveOf(const std::vector<std::pair<double, int>>& parts) {
  LossCurve curve;
  for (const auto& [value, count] : parts) {
    for (int i = 0; i < count; ++i) curve.Add(value);
  }
  return curve;
}

TEST(LossCurveTest, IsEmptyAtFirst) {
  const LossCurve curve;
  EXPECT_EQ(curve.count(), 0);
  EXPECT_EQ(curve.fallen(), 0);
  EXPECT_EQ(curve.since_progress(), 0);
}

TEST(LossCurveTest, ALossThatStaysHasNeitherFallenNorNoise) {
  const LossCurve curve = LossCurveOf({{2, 50}});
  EXPECT_EQ(curve.count(), 50);
  EXPECT_EQ(curve.first(), 2);
  EXPECT_EQ(curve.recent(), 2);
  EXPECT_EQ(curve.lowest(), 2);
  EXPECT_EQ(curve.last(), 2);
  EXPECT_EQ(curve.noise(), 0);
  EXPECT_EQ(curve.fallen(), 0);
  EXPECT_GE(curve.since_progress(), 30);
}

TEST(LossCurveTest, ALossThatFalls) {
  const LossCurve curve = LossCurveOf({{4, 20}, {1, 40}});
  EXPECT_EQ(curve.first(), 4);
  EXPECT_EQ(curve.recent(), 1);
  EXPECT_EQ(curve.lowest(), 1);
  EXPECT_EQ(curve.fallen(), 0.75);
  EXPECT_LT(curve.since_progress(), 40);
}

TEST(LossCurveTest, ALossThatRisesKeepsItsLowest) {
  const LossCurve curve = LossCurveOf({{4, 20}, {1, 40}, {8, 100}});
  EXPECT_EQ(curve.recent(), 8);
  EXPECT_EQ(curve.lowest(), 1);
  EXPECT_EQ(curve.fallen(), 0.75);
  EXPECT_GE(curve.since_progress(), 100);
}

TEST(LossCurveTest, SingleLossesDoNotMatter) {
  const LossCurve curve = LossCurveOf({{1e9, 1}, {2, 40}, {1e9, 1}, {-1e9, 1}, {2, 1}, {7, 1}});
  EXPECT_EQ(curve.first(), 2);
  EXPECT_EQ(curve.recent(), 2);
  EXPECT_EQ(curve.last(), 7);
  EXPECT_EQ(curve.noise(), 0);
  EXPECT_EQ(curve.fallen(), 0);
}

TEST(LossCurveTest, KnowsItsBeginning) {
  const LossCurve curve = LossCurveOf({{3, 1}, {2, 5}, {70, 1}, {2, 20}, {900, 1}});
  EXPECT_EQ(curve.initial(), 3);
  EXPECT_EQ(curve.first(), 2);
  EXPECT_EQ(curve.early_peak(), 70);
}

TEST(LossCurveTest, KnowsHowNoisyItIs) {
  LossCurve curve;
  for (int i = 0; i < 100; ++i) curve.Add(10 + i % 3);  // Median distance 1.
  EXPECT_EQ(curve.recent(), 11);
  EXPECT_GT(curve.noise(), 0.5);
  EXPECT_LT(curve.noise(), 2);
}

TEST(LossCurveTest, LossesMayBeNegative) {
  const LossCurve curve = LossCurveOf({{-1, 20}, {-3, 40}});
  EXPECT_EQ(curve.fallen(), 2);
  EXPECT_LT(LossCurveOf({{-3, 40}, {-1, 40}}).fallen(), 0.01);
}

TEST(LossCurveTest, ProgressIsMoreThanATrace) {
  LossCurve curve = LossCurveOf({{1, 20}});
  for (int i = 0; i < 100; ++i) curve.Add(1 - 1e-5 * i);
  EXPECT_GE(curve.since_progress(), 100);
  for (int i = 0; i < 100; ++i) curve.Add(0.9 - 0.005 * i);
  EXPECT_LT(curve.since_progress(), 10);
}

TEST(LossCurveTest, ALossThatStartsAtZeroHasNoShareToFall) {
  EXPECT_EQ(LossCurveOf({{0, 20}, {-1, 40}}).fallen(), 0);
}

}  // namespace
}  // namespace warden::rules
