#include "warden/view/metrics/levels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warden::view {
namespace {

// Whole numbers, whose sums are exact.
std::vector<float> Values(size_t count) {
  std::mt19937 random(7);
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(random() % 10 == 0 ? kNotMeasured : static_cast<float>(random() % 101));
  }
  return values;
}

MetricStretch Slow(const std::vector<float>& values, size_t from, size_t to) {
  MetricStretch stretch;
  for (size_t i = from; i < to; ++i) stretch.Add(values[i]);
  return stretch;
}

void ExpectSame(const MetricStretch& a, const MetricStretch& b) {
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_EQ(a.sum, b.sum);
  EXPECT_EQ(a.count, b.count);
}

TEST(MetricLevels, RangesAreThoseOfTheSamples) {
  const std::vector<float> values = Values(5000);
  MetricLevels levels(0, {});
  for (const float value : values) levels.Append(value);
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const size_t a = random() % 5001;
    const size_t b = random() % 5001;
    ExpectSame(levels.Range(std::min(a, b), std::max(a, b)),
               Slow(values, std::min(a, b), std::max(a, b)));
  }
}

TEST(MetricLevels, NothingMeasuredIsNaN) {
  MetricLevels levels(0, {});
  for (int i = 0; i < 40; ++i) levels.Append(kNotMeasured);
  EXPECT_TRUE(std::isnan(levels.Range(0, 40).mean()));
  EXPECT_TRUE(std::isnan(levels.Range(3, 3).least()));
  EXPECT_TRUE(std::isnan(levels.At(39)));
}

TEST(MetricLevels, WhatIsGivenUpIsToldByItsStretch) {
  const std::vector<float> values = Values(4096);
  MetricLevels levels(0, {});
  for (const float value : values) levels.Append(value);
  const size_t before = levels.bytes();
  levels.GiveUp(0, 2048);
  levels.GiveUp(1, 64);
  EXPECT_LT(levels.bytes(), before * 2 / 3);
  EXPECT_EQ(levels.size(), 4096);
  ExpectSame(levels.Range(0, 4096), Slow(values, 0, 4096));
  ExpectSame(levels.Range(2048, 3000), Slow(values, 2048, 3000));
  ExpectSame(levels.Range(1030, 1050), Slow(values, 1024, 1056));  // Level 1 is left of it, ...
  ExpectSame(levels.Range(3, 260), Slow(values, 0, 512));          // ... and here level 2.
  EXPECT_EQ(levels.At(1030), Slow(values, 1024, 1040).mean());
  levels.Append(5);
  EXPECT_EQ(levels.At(4096), 5);
}

TEST(MetricLevels, OneThatComesLaterIsAsLongAsTheOthers) {
  MetricLevels first(0, {});
  for (int i = 0; i < 1000; ++i) first.Append(1);
  first.GiveUp(0, 512);
  MetricLevels late(first.size(), {512});
  for (int i = 0; i < 100; ++i) late.Append(2);
  EXPECT_EQ(late.size(), 1100);
  EXPECT_EQ(late.Range(0, 1000).count, 0);
  EXPECT_EQ(late.Range(0, 1100).count, 100);
  EXPECT_EQ(late.Range(990, 1100).sum, 200);
}

TEST(MetricStretch, MeansStayWithinTheirValues) {
  MetricStretch stretch;
  for (int i = 0; i < 1'000'000; ++i) stretch.Add(0.1F);
  EXPECT_EQ(stretch.mean(), 0.1F);
}

}  // namespace
}  // namespace warden::view
