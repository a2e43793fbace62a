#include "warden/rules/profiler/value_distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "warden/base/json.h"
#include "warden/rules/profiler/point_window.h"

namespace warden::rules {
namespace {

TEST(Distribution, QuantilesAreInterpolated) {
  Distribution values;
  for (const double value : {4.0, 1.0, 3.0, 2.0}) values.Add(value);
  EXPECT_EQ(values.Quantile(0), 1);
  EXPECT_EQ(values.Quantile(0.5), 2.5);
  EXPECT_DOUBLE_EQ(values.Quantile(0.95), 3.85);  // numpy.percentile([1, 2, 3, 4], 95).
  EXPECT_EQ(values.Quantile(1), 4);
  EXPECT_EQ(values.mean(), 2.5);
  values.Add(0);  // After having been asked.
  EXPECT_EQ(values.Quantile(0.5), 2);
}

TEST(Distribution, WhatIsNotFiniteIsPassedOver) {
  Distribution values;
  values.Add(NAN);
  values.Add(INFINITY);
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(BoxOf(values), Json::object());
}

TEST(Distribution, ALongRunKeepsItsShape) {
  Distribution values;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 100);
  constexpr int kCount = 1'000'000;
  // The first half from 0 to 100, the second from 100 to 200.
  for (int i = 0; i < kCount; ++i) values.Add(uniform(random) + (i < kCount / 2 ? 0 : 100));
  EXPECT_EQ(values.count(), kCount);
  EXPECT_LE(values.Sorted().size(), Distribution::kMostKept);
  for (const double q : {0.05, 0.25, 0.5, 0.75, 0.95}) {
    EXPECT_NEAR(values.Quantile(q), 200 * q, 1) << q;
  }
}

TEST(Distribution, Histogram) {
  Distribution values;
  for (const double value : {0.0, 1.0, 2.0, 2.5, 4.0}) values.Add(value);
  const Histogram histogram = HistogramOf(values, 4);
  EXPECT_EQ(histogram.edges, (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(histogram.shares, (std::vector<double>{0.2, 0.2, 0.4, 0.2}));
}

TEST(Distribution, HistogramOfOneValue) {
  Distribution values;
  values.Add(7);
  const Histogram histogram = HistogramOf(values, 4);
  EXPECT_EQ(histogram.edges, (std::vector<double>{6.5, 6.75, 7, 7.25, 7.5}));
  EXPECT_EQ(histogram.shares, (std::vector<double>{0, 0, 1, 0}));
}

TEST(Distribution, HistogramOfExtremes) {
  Distribution values;
  values.Add(-1.7e308);
  values.Add(1.7e308);
  const Histogram histogram = HistogramOf(values, 10);
  EXPECT_EQ(histogram.shares.front(), 0.5);
  EXPECT_EQ(histogram.shares.back(), 0.5);
}

TEST(Distribution, WhiskersEndWhereTheValuesDo) {
  Distribution values;
  for (const double value : {0, 1, 2, 3, 100}) values.Add(value);
  EXPECT_EQ(BoxOf(values), Json::parse(R"({"p25": 1.0, "p50": 2.0, "p75": 3.0, "p95": 80.6,
                                           "upper": 6.0, "lower": 0.0})"));
}

TEST(Rounded, IsAlwaysJson) {
  EXPECT_EQ(Rounded(NAN), Json());
  EXPECT_EQ(Rounded(-INFINITY), Json());
  EXPECT_EQ(Rounded(1.23456789), 1.234568);
  EXPECT_EQ(Rounded(1e300), 1e300);
}

TEST(PointWindow, TheLastPointsAndThoseThatCount) {
  PointWindow window(4, 6);
  for (int i = 0; i < 6; ++i) window.Add(i);
  EXPECT_FALSE(window.enough());
  window.Add(100);
  ASSERT_TRUE(window.enough());
  EXPECT_EQ(window.kept(), 1);
  const PointWindow::Quantile median = window.At(0.5);
  EXPECT_EQ(median.whole, 4.5);  // Of 3, 4, 5, 100.
  EXPECT_EQ(median.counted, 100);
  EXPECT_FALSE(median.Below(50));
  EXPECT_FALSE(median.Above(50));
  for (int i = 0; i < 3; ++i) window.Add(100);
  EXPECT_EQ(window.At(0.5).whole, 100);
  EXPECT_EQ(window.seen(), 10);
  EXPECT_EQ(window.size(), 4);
}

}  // namespace
}  // namespace warden::rules
