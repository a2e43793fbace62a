#include "warden/view/series/reading_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace warden::view {
namespace {

std::vector<Step> Upto(size_t count) {
  std::vector<Step> steps(count);
  std::iota(steps.begin(), steps.end(), 0);
  return steps;
}

TEST(ReadingOrder, ReadsEveryStepOnceAndTheShapeFirst) {
  for (const size_t count : {1u, 2u, 3u, 63u, 64u, 65u, 129u, 1000u, 10'007u}) {
    ReadingOrder order;
    order.Start(Upto(count));
    std::vector<Step> read;
    std::vector<Step> coarse;
    while (const auto next = order.Take()) {
      EXPECT_FALSE(next->is_new);
      read.push_back(next->step);
      if (coarse.empty() && order.coarse_is_done()) coarse = read;
    }
    EXPECT_TRUE(order.empty());
    EXPECT_EQ(read.front(), 0);
    EXPECT_EQ(read[std::min<size_t>(1, count - 1)], static_cast<Step>(count) - 1);
    // The shape: few steps, evenly spread.
    EXPECT_LE(coarse.size(), 66u) << count;
    EXPECT_GE(coarse.size(), std::min<size_t>(count, 32)) << count;
    std::ranges::sort(coarse);
    for (size_t i = 1; i < coarse.size(); ++i) {
      EXPECT_LE(coarse[i] - coarse[i - 1], static_cast<Step>(count / 30 + 1)) << count;
    }
    std::ranges::sort(read);
    EXPECT_EQ(read, Upto(count));
  }
}

TEST(ReadingOrder, NewStepsComeBeforeOldOnesButAfterTheFirst) {
  ReadingOrder order;
  order.Start(Upto(100));
  order.AddNew(500);
  order.AddNew(501);
  EXPECT_EQ(order.Take()->step, 0);
  EXPECT_EQ(order.Take()->step, 500);
  const auto last = order.Take();
  EXPECT_EQ(last->step, 501);
  EXPECT_TRUE(last->is_new);
  EXPECT_FALSE(order.Take()->is_new);
}

TEST(ReadingOrder, OfNothingThereIsNothing) {
  ReadingOrder order;
  EXPECT_TRUE(order.empty());
  EXPECT_TRUE(order.coarse_is_done());
  EXPECT_FALSE(order.Take());
  order.AddNew(3);
  EXPECT_EQ(order.Take()->step, 3);
}

}  // namespace
}  // namespace warden::view
