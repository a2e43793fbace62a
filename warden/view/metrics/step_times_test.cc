#include "warden/view/metrics/step_times.h"

#include <gtest/gtest.h>

namespace warden::view {
namespace {

constexpr int64_t kStartUs = 1'700'000'000'000'000;

class StepTimesTest : public ::testing::Test {
 protected:
  void Add(std::string_view phase, Step step, int64_t after_us, int64_t duration_us) {
    timeline::Span span;
    span.phase = names_.IdOf(phase);
    span.node = names_.IdOf("algo-1-88");
    span.step = step;
    span.start_us = kStartUs + after_us;
    span.duration_us = duration_us;
    steps_.Add(span, names_);
  }

  timeline::Names names_;
  StepTimes steps_;
};

TEST_F(StepTimesTest, FindsTheSlowOnes) {
  for (int i = 0; i < 100; ++i) {
    Add("Step:ModeKeys.TRAIN", i, i * 10'000, i == 40 ? 90'000 : 1000 + i);
  }
  const auto slow = steps_.Slow({0, 1e12}, 10);
  ASSERT_EQ(slow.size(), 1);
  EXPECT_EQ(slow[0].step, 40);
  EXPECT_EQ(slow[0].mode, "TRAIN");
  EXPECT_DOUBLE_EQ(slow[0].seconds, 0.09);
  EXPECT_NEAR(slow[0].usual, 0.00105, 2e-6);
  EXPECT_NEAR(slow[0].time, 1.7e9 + 0.4, 1e-6);
  EXPECT_TRUE(steps_.Slow({1.7e9 + 100, 1.7e9 + 200}, 10).empty());
  EXPECT_TRUE(steps_.Slow({0, 1e12}, 0).empty());
}

TEST_F(StepTimesTest, KnowsTheLoop) {
  EXPECT_FALSE(steps_.loop().has_value());
  Add("Forward", 0, 0, 500);
  EXPECT_FALSE(steps_.loop().has_value());
  Add("Step:ModeKeys.TRAIN", 1, 1'000'000, 500'000);
  Add("Step:ModeKeys.TRAIN", 2, 2'000'000, 500'000);
  EXPECT_DOUBLE_EQ(steps_.loop()->from, 1.7e9 + 1);
  EXPECT_DOUBLE_EQ(steps_.loop()->to, 1.7e9 + 2.5);
}

TEST_F(StepTimesTest, TellsWhenAStepWasIfOnlyOneModeIsThere) {
  Add("Step:ModeKeys.TRAIN", 1, 1'000'000, 10);
  Add("Step:ModeKeys.TRAIN", 4, 2'000'000, 10);
  EXPECT_DOUBLE_EQ(steps_.TimeOf(4).value_or(0), 1.7e9 + 2);
  EXPECT_FALSE(steps_.TimeOf(2).has_value());
  EXPECT_FALSE(steps_.TimeOf(-1).has_value());
  Add("Step:ModeKeys.EVAL", 1, 3'000'000, 10);
  EXPECT_FALSE(steps_.TimeOf(4).has_value());
}

TEST_F(StepTimesTest, PassesNonsenseOver) {
  Add("Step:ModeKeys.TRAIN", 1, INT64_MAX / 2, 10);
  Add("Step:ModeKeys.TRAIN", 1, 0, -10);
  Add("Step:ModeKeys.TRAIN", 1, 0, INT64_MAX);
  EXPECT_TRUE(steps_.empty());
}

}  // namespace
}  // namespace warden::view
