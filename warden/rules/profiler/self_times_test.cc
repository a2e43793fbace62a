#include "warden/rules/profiler/self_times.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

// Sums by name of spans [start, end), as reports keep them.
class SelfTimesTest : public ::testing::Test {
 protected:
  void Add(timeline::NameId name, int64_t start, int64_t end, int64_t thread = 1) {
    timeline::Span span;
    span.name = name;
    span.start_us = start;
    span.duration_us = end - start;
    span.tid = thread;
    const SelfTime self = times_.Add(span, static_cast<double>(end - start));
    sums_[name] += self.us;
    if (self.outer_less_us > 0) sums_[self.outer] -= self.outer_less_us;
  }
  using Sums = std::map<timeline::NameId, double>;

  SelfTimes times_;
  Sums sums_;
};

TEST_F(SelfTimesTest, NestedSpansCountOnce) {
  // In the order of their ends: 3 is in 2, 2 and 4 are in 1.
  Add(3, 20, 30);
  Add(2, 10, 40);
  Add(4, 50, 60);
  Add(1, 0, 100);
  Add(5, 100, 110);
  EXPECT_EQ(sums_, (Sums{{1, 60}, {2, 20}, {3, 10}, {4, 10}, {5, 10}}));
}

TEST_F(SelfTimesTest, TheOrderOfStartsLeadsToTheSame) {
  Add(1, 0, 100);
  Add(2, 10, 40);
  Add(3, 20, 30);
  Add(4, 50, 60);
  Add(5, 100, 110);
  EXPECT_EQ(sums_, (Sums{{1, 60}, {2, 20}, {3, 10}, {4, 10}, {5, 10}}));
}

TEST_F(SelfTimesTest, SpansThatBeginOrEndTogetherAreNested) {
  Add(1, 0, 100);  // Files have the outer one first.
  Add(2, 40, 100);
  Add(3, 90, 100);
  EXPECT_EQ(sums_, (Sums{{1, 40}, {2, 50}, {3, 10}}));
}

TEST_F(SelfTimesTest, OtherThreadsAreNotInside) {
  Add(2, 10, 40, 2);
  Add(1, 0, 100, 1);
  EXPECT_EQ(sums_, (Sums{{1, 100}, {2, 30}}));
}

TEST_F(SelfTimesTest, SpansThatOverlapKeepTheirTime) {
  Add(1, 0, 50);
  Add(2, 40, 90);
  EXPECT_EQ(sums_, (Sums{{1, 50}, {2, 50}}));
}

TEST_F(SelfTimesTest, RecursionCountsOnce) {
  Add(1, 10, 20);
  Add(1, 0, 30);
  EXPECT_EQ(sums_, (Sums{{1, 30}}));
}

TEST_F(SelfTimesTest, KeepsItsMemoryBounded) {
  for (int64_t i = 0; i < 40'000; ++i) Add(1, 10 * i, 10 * i + 5, 1);
  for (int64_t i = 0; i < 3000; ++i) Add(2, 0, 1, i + 2);
  EXPECT_EQ(sums_, (Sums{{1, 200'000}, {2, 3000}}));
}

}  // namespace
}  // namespace warden::rules
