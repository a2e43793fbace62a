#include "warden/rules/running_window.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

TEST(RunningWindow, MedianOfOddAndEvenNumbers) {
  RunningWindow window;
  window.Add(5, 10);
  EXPECT_EQ(window.Median(), 5);
  window.Add(1, 10);
  EXPECT_EQ(window.Median(), 3);
  window.Add(100, 10);
  EXPECT_EQ(window.Median(), 5);
}

TEST(RunningWindow, ForgetsTheOldest) {
  RunningWindow window;
  for (const double value : {1, 2, 3, 4, 5}) window.Add(value, 3);
  EXPECT_EQ(window.size(), 3);
  EXPECT_EQ(window.Median(), 4);
  window.Add(6, 3);
  EXPECT_EQ(window.Median(), 5);
}

TEST(RunningWindow, OutliersDoNotMoveTheDeviation) {
  RunningWindow window;
  for (const double value : {1, 2, 3, 4, 1000}) window.Add(value, 10);
  // Distances from 3: 2, 1, 0, 1, 997.
  EXPECT_EQ(window.RobustDeviation(window.Median()), 1.4826);
}

}  // namespace
}  // namespace warden::rules
