#include "warden/report/words.h"

#include <gtest/gtest.h>

#include <limits>

namespace warden::report {
namespace {

TEST(WordsTest, NumbersHaveThreeDigits) {
  EXPECT_EQ(ThreeDigits(0), "0");
  EXPECT_EQ(ThreeDigits(0.12345), "0.123");
  EXPECT_EQ(ThreeDigits(1.5), "1.5");
  EXPECT_EQ(ThreeDigits(12.34), "12.3");
  EXPECT_EQ(ThreeDigits(1234567.8), "1,234,568");
  EXPECT_EQ(ThreeDigits(-1234.5), "-1,234");
  EXPECT_EQ(ThreeDigits(100), "100");
  EXPECT_EQ(ThreeDigits(0.00001234), "1.2e-05");
}

TEST(WordsTest, FixedKeepsItsDecimals) {
  EXPECT_EQ(Fixed(1234.5, 2), "1,234.50");
  EXPECT_EQ(Fixed(-0.001, 2), "0.00");
  EXPECT_EQ(Fixed(std::numeric_limits<double>::quiet_NaN(), 2), "–");
  EXPECT_EQ(Fixed(1e300, 2), "1e+300");
}

TEST(WordsTest, PercentSaysWhenThereIsHardlyAny) {
  EXPECT_EQ(Percent(0), "0 %");
  EXPECT_EQ(Percent(0.04), "less than 0.1 %");
  EXPECT_EQ(Percent(29.54), "29.5 %");
  EXPECT_EQ(Percent(99.99), "100 %");
}

TEST(WordsTest, CountsAndNouns) {
  EXPECT_EQ(Count(1234567), "1,234,567");
  EXPECT_EQ(Count(-1234), "-1,234");
  EXPECT_EQ(Counted(1, "step", "steps"), "1 step");
  EXPECT_EQ(Counted(0, "step", "steps"), "0 steps");
}

TEST(WordsTest, DurationsHaveTheUnitThatFits) {
  EXPECT_EQ(Duration(0), "0 s");
  EXPECT_EQ(Duration(0.00085), "850 µs");
  EXPECT_EQ(Duration(0.0123), "12.3 ms");
  EXPECT_EQ(Duration(2.534), "2.53 s");
  EXPECT_EQ(Duration(125), "2 min 05 s");
  EXPECT_EQ(Duration(3720), "1 h 02 min");
  EXPECT_EQ(Duration(200000), "2 days 7 h");
  EXPECT_EQ(Duration(-2), "−2 s");
  EXPECT_FALSE(Duration(1e300).empty());
}

TEST(WordsTest, BytesAndTimes) {
  EXPECT_EQ(BytesPerSecond(12), "12 B/s");
  EXPECT_EQ(BytesPerSecond(12345678), "12.3 MB/s");
  EXPECT_EQ(UtcTime(1794740400), "2026-11-15 11:00:00 UTC");
  EXPECT_EQ(UtcTime(0), "–");
  EXPECT_EQ(UtcTime(1e300), "–");
}

}  // namespace
}  // namespace warden::report
