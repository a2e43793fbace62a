#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class ClassImbalanceTest : public RuleTest {
 protected:
  // So many labels of each class from 0 on.
  static TestTensor Labels(const std::vector<int>& counts) {
    std::vector<int64_t> ids;
    for (size_t id = 0; id < counts.size(); ++id) {
      ids.insert(ids.end(), static_cast<size_t>(counts[id]), static_cast<int64_t>(id));
    }
    const auto size = static_cast<int64_t>(ids.size());
    return MakeTensor(DType::kInt64, {size}, ids);
  }
};

TEST_F(ClassImbalanceTest, FiresOnceEnoughLabelsWereSeen) {
  Save(3, {{"labels", Labels({990, 10})}});
  const RuleReport report = Evaluate("ClassImbalance");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 3);
  EXPECT_EQ(report.findings[0].tensor, "labels");
  EXPECT_EQ(report.findings[0].value, 99);
  EXPECT_EQ(report.findings[0].message,
            "labels: class 1 has 10 labels and class 0 has 990, a ratio of 99 (threshold 10) at "
            "step 3");
}

TEST_F(ClassImbalanceTest, CountsOverTheRunAndFiresAboveTheThresholdAlone) {
  Save(0, {{"labels", Labels({20, 2})}});
  Save(1, {{"labels", Labels({0, 0, 5})}}, Mode::kEval);  // 20, 2 and 5: exactly ten times.
  Save(2, {{"labels", Labels({1})}});                     // 21 and 2.
  Save(3, {{"labels", Labels({0, 1})}});                  // 21 and 3.
  const RuleReport report = Evaluate("ClassImbalance:samples=27");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{2});
  EXPECT_EQ(report.findings[0].value, 10.5);
  EXPECT_EQ(report.findings[0].count, 1);
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(ClassImbalanceTest, TooFewLabels) {
  Save(0, {{"labels", Labels({119, 1})}});
  const RuleReport report = Evaluate("ClassImbalance");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 500 labels, found 120");
}

TEST_F(ClassImbalanceTest, WrongPredictionsOfAClass) {
  // Of class 1 all four are wrong, then eight of ten, then more than 0.8 no longer.
  Save(0, {{"labels", FloatTensor({8}, {0, 0, 0, 0, 1, 1, 1, 1})},
           {"predictions", FloatTensor({8}, {0, 0, 0, 1, 0, 0, 0, 0})}});
  Save(1, {{"labels", FloatTensor({6}, {1, 1, 1, 1, 1, 1})},
           {"predictions", FloatTensor({6}, {1, 1, 0, 0, 0, 0})}});
  const RuleReport report = Evaluate("ClassImbalance:samples=1;threshold_misprediction=0.8");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].tensor, "predictions");
  EXPECT_EQ(report.findings[0].value, 1);
  EXPECT_EQ(report.findings[0].count, 1);
  EXPECT_EQ(
      report.findings[0].message,
      "predictions: 4 of 4 labels of class 1 were predicted wrong (1, threshold 0.8) at step 0");
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(ClassImbalanceTest, ScoresAreTakenAsClasses) {
  const std::vector<float> labels = {0, 1, 2, 2};
  const std::vector<float> scores = {.8f, .1f, .1f, .2f, .6f, .2f, .9f, 0, .1f, 0, .1f, .9f};
  Save(0, {{"labels", FloatTensor({4}, labels)}, {"predictions", FloatTensor({4, 3}, scores)}});
  for (const char* text : {"ClassImbalance:samples=4;argmax=True;threshold_misprediction=0.4",
                           "ClassImbalance:samples=4;threshold_misprediction=0.4"}) {
    const RuleReport report = Evaluate(text);
    ASSERT_EQ(report.findings.size(), 1u) << text;
    EXPECT_EQ(report.findings[0].value, 0.5);
  }
}

TEST_F(ClassImbalanceTest, PredictionsOfAnotherSizeAreSkipped) {
  Save(0, {{"labels", Labels({1, 2})}, {"predictions", FloatTensor({2}, {0, 0})}});
  const RuleReport report = Evaluate("ClassImbalance:samples=1");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);  // By the labels alone.
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0],
            "1 tensor skipped (first: predictions): the number of predictions differs from the "
            "number of labels");
}

TEST_F(ClassImbalanceTest, WhatIsNoClassIsLeftOut) {
  Save(0, "labels", {0, 0, 0, NAN, INFINITY, -100, 1});
  const RuleReport report = Evaluate("ClassImbalance:samples=4;threshold_imbalance=2.5");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 3);
}

TEST_F(ClassImbalanceTest, LabelsThatAreNoClassesAreSkipped) {
  Save(0, "labels", {0.5, 1});
  Save(1, {{"labels", TestTensor{DType::kString, {1}, {}, {"cat"}}}});
  Save(2, "labels", {});
  Save(3, SavedReduction("labels", "mean", 0.5));
  const RuleReport report = Evaluate("ClassImbalance:samples=1");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.notes.size(), 3u);
}

TEST_F(ClassImbalanceTest, NegativeClassesCount) {
  Save(0, "labels", {-1, -1, -1, 1});
  EXPECT_EQ(Evaluate("ClassImbalance:samples=4;threshold_imbalance=2").findings.at(0).value, 3);
}

TEST_F(ClassImbalanceTest, EachWorkerCountsForItself) {
  Manifest(2);
  Save(0, {{"labels", Labels({4, 4})}}, Mode::kTrain, 0);
  Save(0, {{"labels", Labels({6, 2})}}, Mode::kTrain, 1);
  const RuleReport report = Evaluate("ClassImbalance:samples=8;threshold_imbalance=2");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(ClassImbalanceTest, RolesTellLabelsAndPredictions) {
  Manifest(
      1, {{"labels", {"CrossEntropyLoss_input_1"}}, {"predictions", {"CrossEntropyLoss_input_0"}}});
  Save(0, {{"CrossEntropyLoss_input_0", FloatTensor({2, 2}, {1, 0, 1, 0})},
           {"CrossEntropyLoss_input_1", FloatTensor({2}, {0, 1})}});
  const RuleReport report = Evaluate("ClassImbalance:samples=2");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].tensor, "CrossEntropyLoss_input_0");
  // A pattern of the user's own is all that counts.
  EXPECT_EQ(Evaluate("ClassImbalance:samples=2;labels_regex=targets").status,
            RuleStatus::kNotEvaluated);
}

TEST_F(ClassImbalanceTest, Refusals) {
  EXPECT_EQ(Refusal("ClassImbalance:threshold_misprediction=2"),
            "ClassImbalance: threshold_misprediction is '2'; expected a number from 0 to 1");
  EXPECT_EQ(Refusal("ClassImbalance:argmax=maybe"),
            "ClassImbalance: argmax is 'maybe'; expected True or False");
}

}  // namespace
}  // namespace warden::rules
