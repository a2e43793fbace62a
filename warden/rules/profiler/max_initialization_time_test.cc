#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

using MaxInitializationTimeTest = ProfilerRuleTest;

TEST_F(MaxInitializationTimeTest, WhileStillWaiting) {
  Use("MaxInitializationTime:threshold=2");
  SeeAt(0, {.cpu = 10});
  EvaluateAt(120);
  EXPECT_FALSE(Evaluated());
  EXPECT_EQ(WhyNot(), "no step has started yet");
  EvaluateAt(121);
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].message,
            "no step has started for 2.02 min (limit 2 min) at 22:15:21 UTC");
  SeeStep("TRAIN", 0, 150, 1);
  EvaluateAt(151);
  EvaluateAt(160);
  EXPECT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].count, 2);  // Nothing is wrong any more once it runs.
  EXPECT_EQ(TheResult().violations, 1);
}

TEST_F(MaxInitializationTimeTest, AFinishedRun) {
  Use("MaxInitializationTime:threshold=2");
  SeeAt(0, {.cpu = 10});
  SeeStep("TRAIN", 0, 150, 1);
  EvaluateAt(500);
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].value, 2.5);
  EXPECT_NE(Findings()[0].message.find("first step started 2.5 min after the start"),
            std::string::npos);
}

TEST_F(MaxInitializationTimeTest, InTime) {
  Use("MaxInitializationTime");
  SeeAt(0, {.cpu = 10});
  SeeStep("GLOBAL", 0, 1200, 1);  // Exactly 20 minutes.
  EvaluateAt(5000);
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(MaxInitializationTimeTest, NothingAtAll) {
  Use("MaxInitializationTime");
  Evaluate();
  EXPECT_EQ(WhyNot(), "no system metrics and no steps were recorded; add --profile timeline");
  EXPECT_EQ(Details(), Json::parse(R"({"step_num": {}, "job_start": null, "job_end": null})"));
}

TEST_F(MaxInitializationTimeTest, Details) {
  Use("MaxInitializationTime");
  SeeAt(0, {.cpu = 10});
  EXPECT_EQ(Details()["step_num"], Json::object());
  SeeStep("TRAIN", 0, 5, 1);
  SeeStep("EVAL", 0, 6, 2);
  See(SpanOf("Forward", "net", 20, 1));
  EXPECT_EQ(Details(), Json::parse(R"({"step_num": {"first": 1700000005000000,
                                                    "last": 1700000008000000},
                                       "job_start": 1700000000.0, "job_end": 1700000021.0})"));
  EXPECT_EQ(TheResult().parameters, "threshold:20");
}

TEST_F(MaxInitializationTimeTest, TimesThatCannotBe) {
  Use("MaxInitializationTime");
  timeline::Span span = SpanOf("Step:ModeKeys.TRAIN", "", 0, 1);
  span.duration_us = INT64_MAX;
  rule_->See(span, names_);
  span.start_us = INT64_MIN;
  rule_->See(span, names_);
  SeeAt(INFINITY, {.cpu = 1});
  SeeAt(NAN, {.cpu = 1});
  EvaluateAt(10);
  EXPECT_FALSE(Evaluated());
}

}  // namespace
}  // namespace warden::rules
