#include "warden/rules/profiler/profiler_for_test.h"
#include "warden/rules/profiler/span_kind.h"

namespace warden::rules {
namespace {

class StepOutlierTest : public ProfilerRuleTest {
 protected:
  // One after the other.
  void Step(double seconds, const std::string& mode = "TRAIN",
            const std::string& node = "algo-1-88") {
    SeeStep(mode, next_step_++, next_start_, seconds, node);
    next_start_ += seconds;
  }
  void Steps(int count, double seconds, const std::string& mode = "TRAIN",
             const std::string& node = "algo-1-88") {
    for (int i = 0; i < count; ++i) Step(seconds, mode, node);
  }

  int64_t next_step_ = 0;
  double next_start_ = 0;
};

TEST_F(StepOutlierTest, MoreThanSoMany) {
  Use("StepOutlier");
  // 10 of 1000 steps of 0.1 s take 1 s: the mean is 0.109, the deviation 0.0895.
  for (int i = 0; i < 1000; ++i) Step(i % 100 == 50 ? 1 : 0.1);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());  // Ten are not more than ten.
  Step(1);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].value, 11);
  EXPECT_EQ(Findings()[0].threshold, 10);
  EXPECT_EQ(Findings()[0].worker, "algo-1-88");
  EXPECT_EQ(Findings()[0].message,
            "TRAIN steps: 11 of 1001 took longer than 0.391 s (mean 0.11 s plus 3 standard "
            "deviations of 0.0938 s), expected at most 10 at 22:15:10 UTC");
  EXPECT_EQ(TheResult().violations, 11);
  EXPECT_EQ(TheResult().datapoints, 1001);
}

TEST_F(StepOutlierTest, StepsThatAreAllAlike) {
  Use("StepOutlier:n_outliers=0");
  Steps(1000, 0.25);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(Details()["step_details"]["algo-1-88"]["number_of_outliers"], 0);
}

TEST_F(StepOutlierTest, WithoutStepsOfTheMode) {
  Use("StepOutlier");
  Evaluate();
  EXPECT_EQ(WhyNot(), "no steps in mode TRAIN or EVAL");
  Use("StepOutlier:mode=EVAL");
  Steps(10, 1);
  Steps(10, 1, "PREDICT");
  Evaluate();
  EXPECT_EQ(WhyNot(), "no steps in mode EVAL");
  EXPECT_EQ(TheResult().datapoints, 0);
}

TEST_F(StepOutlierTest, GlobalCountsAsTrain) {
  Use("StepOutlier:mode=TRAIN");
  Steps(3, 1, "GLOBAL");
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_EQ(Details()["step_details"]["algo-1-88"]["phase"], "Step:ModeKeys.TRAIN");
}

TEST_F(StepOutlierTest, AnnotatedStepsCountIfThereAreNoOthers) {
  Use("StepOutlier:n_outliers=0");
  for (int step = 0; step < 20; ++step) {
    See(SpanOf("Annotation", "step_" + std::to_string(step), step, step == 13 ? 0.9 : 0.1));
    See(SpanOf("Annotation", "Forward", step, 0.05));
    See(SpanOf("Other", "step_1", step, 0.05));
  }
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(TheResult().datapoints, 20);
  EXPECT_EQ(Details()["step_details"]["algo-1-88"]["outliers"][0][0], 13);
  Steps(3, 1);
  Evaluate();
  EXPECT_EQ(TheResult().datapoints, 3) << "those of a hook";
}

TEST_F(StepOutlierTest, NamesOfAnnotatedSteps) {
  EXPECT_EQ(AnnotatedStepOf("Annotation", "step_12"), 12);
  EXPECT_EQ(AnnotatedStepOf("Annotation", "Step 12"), 12);
  EXPECT_EQ(AnnotatedStepOf("Annotation", "step12"), 12);
  EXPECT_EQ(AnnotatedStepOf("Annotation", "step"), -1);
  for (const char* name : {"", "ste", "steps", "step_", "step_x", "step_-1", "a step_1"}) {
    EXPECT_EQ(AnnotatedStepOf("Annotation", name), std::nullopt) << name;
  }
  EXPECT_EQ(AnnotatedStepOf("Forward", "step_1"), std::nullopt);
}

TEST_F(StepOutlierTest, ModesAndNodesAreApart) {
  Use("StepOutlier:n_outliers=0");
  Steps(100, 0.1);
  Steps(100, 5, "EVAL");  // Long, but all of them.
  Steps(100, 0.1, "TRAIN", "algo-2-9");
  Step(3, "TRAIN", "algo-2-9");
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].worker, "algo-2-9");
  EXPECT_EQ(KeysOf(Details()["step_details"]),
            (std::vector<std::string>{"algo-2-9", "algo-1-88", "algo-1-88 EVAL"}));
}

TEST_F(StepOutlierTest, AStepOfAModeThatDoesNotExist) {
  Use("StepOutlier");
  Steps(3, 1, "SOMETHING");
  Steps(3, 1, "");
  Evaluate();
  EXPECT_FALSE(Evaluated());
}

TEST_F(StepOutlierTest, Details) {
  Use("StepOutlier:n_outliers=0;stddev=2");
  for (const double seconds : {1, 1, 1, 1, 1, 1, 1, 1, 1, 11}) Step(seconds);
  Evaluate();
  const Json details = Details();
  const Json node = details["step_details"]["algo-1-88"];
  EXPECT_EQ(KeysOf(node),
            (std::vector<std::string>{"step_stats", "number_of_outliers", "phase", "stddev",
                                      "probs", "binedges", "step_numbers", "outliers", "series"}));
  EXPECT_EQ(node["step_stats"],
            Json::parse(R"({"mean": 2.0, "max": 11.0, "p99": 10.1, "p95": 6.5, "p50": 1.0,
                            "min": 1.0})"));
  EXPECT_EQ(node["number_of_outliers"], 1);
  EXPECT_EQ(node["phase"], "Step:ModeKeys.TRAIN");
  EXPECT_EQ(node["stddev"], 3);
  EXPECT_EQ(node["probs"].size(), 100u);
  EXPECT_EQ(node["probs"][0], 0.9);
  EXPECT_EQ(node["probs"][99], 0.1);
  EXPECT_EQ(node["binedges"].size(), 101u);
  EXPECT_EQ(node["binedges"][0], 1);
  EXPECT_EQ(node["binedges"][100], 11);
  EXPECT_EQ(node["step_numbers"], Json::parse("[9]"));
  EXPECT_EQ(node["outliers"], Json::parse("[[9, 1700000009000000, 11.0]]"));
  EXPECT_EQ(node["series"].size(), 10u);
  EXPECT_EQ(node["series"][9], Json::parse("[1700000009000000, 11.0]"));
  EXPECT_EQ(TheResult().parameters, "threshold:2\nmode:None\nn_outliers:0\nstddev:2");
}

TEST_F(StepOutlierTest, WhatWentOnDuringOutliers) {
  Use("StepOutlier:n_outliers=0;stddev=2");
  for (int i = 0; i < 20; ++i) {
    const bool slow = i == 7;
    See(SpanOf("DataLoaderIter", "Iter::GetNext", next_start_, slow ? 3 : 0.1));
    See(SpanOf("Forward", "net", next_start_ + (slow ? 3 : 0.1), 0.5));
    Step(slow ? 4 : 1);
  }
  Evaluate();
  const Json details = Details();
  EXPECT_EQ(details["phase_time"]["DataLoaderIter"], 3'000'000);
  EXPECT_EQ(details["phase_time"]["Forward"], 500'000);
  EXPECT_EQ(details["ratio"], Json::parse(R"({"TRAIN": 100.0, "others": 0.0})"));
  EXPECT_EQ(details["steps"]["TRAIN"]["count"], 1);
}

TEST_F(StepOutlierTest, LongRunsAreToldInShort) {
  Use("StepOutlier:n_outliers=0");
  for (int i = 0; i < 30000; ++i) Step(i % 20 == 10 ? 0.2 : 0.01);
  Evaluate();
  const Json node = Details()["step_details"]["algo-1-88"];
  EXPECT_EQ(node["number_of_outliers"], 1500);
  EXPECT_EQ(node["step_numbers"].size(), 1000u);
  EXPECT_EQ(node["step_numbers"].back(), 29990);
  EXPECT_EQ(node["outliers"].size(), 100u);
  EXPECT_LE(node["series"].size(), 600u);
  EXPECT_GE(node["series"].size(), 590u);
  for (const Json& point : node["series"]) EXPECT_EQ(point[1], 0.2);
  // Counted bit by bit, too.
  for (int i = 0; i < 100; ++i) Step(0.2);
  Evaluate();
  EXPECT_EQ(Findings()[0].value, 1500);
  EXPECT_EQ(TheResult().violations, 1600);
}

}  // namespace
}  // namespace warden::rules
