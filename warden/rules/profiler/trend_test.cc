#include "warden/rules/profiler/trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warden::rules {
namespace {

TEST(Trend, AStraightLine) {
  Trend trend;
  for (int i = 0; i < 31; ++i) trend.Add(i, 5 + 2 * i);
  EXPECT_FALSE(trend.Fit().has_value());
  for (int i = 31; i < 5000; ++i) trend.Add(i, 5 + 2 * i);
  const auto line = trend.Fit();
  ASSERT_TRUE(line.has_value());
  EXPECT_NEAR(line->slope, 2, 1e-9);
  EXPECT_NEAR(line->surely, 2, 1e-6);
  EXPECT_GT(line->length_s, 4700);
  EXPECT_LT(line->length_s, 5000);
  EXPECT_TRUE(line->steady);
}

TEST(Trend, TheBoundIsThatOfStudent) {
  // 32 points with residuals +1 and -1: checked against scipy.stats.linregress and t.ppf(0.99, 30).
  Trend trend;
  for (int i = 0; i < 32; ++i) trend.Add(i, i % 2 == 0 ? 1 : -1);
  const auto line = trend.Fit();
  ASSERT_TRUE(line.has_value());
  const double tt = 32.0 * (32 * 32 - 1) / 12;
  const double slope = -16 / tt;  // Sum of (i - 15.5) * value is -16.
  EXPECT_NEAR(line->slope, slope, 1e-12);
  const double residuals = 32 - slope * slope * tt;
  EXPECT_NEAR(line->surely, slope - 2.457262 * std::sqrt(residuals / 30 / tt), 1e-4);
}

TEST(Trend, AJumpIsNotSteady) {
  Trend trend;
  for (int i = 0; i < 1000; ++i) trend.Add(i, i < 500 ? 10 : 20);
  ASSERT_TRUE(trend.Fit().has_value());
  EXPECT_GT(trend.Fit()->surely, 0);
  EXPECT_FALSE(trend.Fit()->steady);
}

TEST(Trend, NoiseHasNoCertainSlope) {
  std::mt19937 random(4);
  std::normal_distribution<double> noise;
  int certain = 0;
  for (int run = 0; run < 200; ++run) {
    Trend trend;
    for (int i = 0; i < 700; ++i) trend.Add(i, noise(random));
    if (trend.Fit()->surely > 0) ++certain;
  }
  EXPECT_LE(certain, 8);  // One in a hundred is expected.
}

TEST(Trend, TimesThatDoNotMove) {
  Trend trend;
  for (int i = 0; i < 100; ++i) trend.Add(7, i);
  EXPECT_FALSE(trend.Fit().has_value());
  trend.Add(NAN, 1);
  trend.Add(1, NAN);
  EXPECT_FALSE(trend.Fit().has_value());
}

}  // namespace
}  // namespace warden::rules
