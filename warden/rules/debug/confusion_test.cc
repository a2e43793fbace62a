#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class ConfusionTest : public RuleTest {
 protected:
  // XGBoost's built-in collections have labels and predictions.
  void SetUp() override { Manifest(1, {}, config::Framework::kXgBoost); }

  void Pair(Step step, const std::vector<float>& labels, const std::vector<float>& predictions,
            int worker = 0) {
    Save(step,
         {{"labels", FloatTensor({std::ssize(labels)}, labels)},
          {"predictions", FloatTensor({std::ssize(predictions)}, predictions)}},
         Mode::kTrain, worker);
  }
  static std::vector<float> TenClasses() { return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; }
};

TEST_F(ConfusionTest, APerfectModelDoesNotFire) {
  Pair(0, TenClasses(), TenClasses());
  const RuleReport report = Evaluate("Confusion");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(ConfusionTest, ButItDoesAsTheOriginalWritesIt) {
  Pair(0, TenClasses(), TenClasses());
  const RuleReport report = Evaluate("Confusion:compat_diagonal=True");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 0.1);
  EXPECT_EQ(report.findings[0].message,
            "predictions: class 0 makes up 0.1 of the diagonal, below 0.9 at step 0");
  EXPECT_TRUE(Evaluate("Confusion:compat_diagonal=True;min_diag=0.1").findings.empty());
}

TEST_F(ConfusionTest, OneWrongOfTenFires) {
  auto predictions = TenClasses();
  predictions[3] = 4;
  Pair(7, TenClasses(), predictions);
  const RuleReport report = Evaluate("Confusion");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].tensor, "predictions");
  EXPECT_EQ(report.findings[0].message,
            "predictions: 0 of 1 labels of class 3 were predicted correctly (0, threshold 0.9) at "
            "step 7");
}

TEST_F(ConfusionTest, ThresholdsThemselvesAreFine) {
  // Class 0: three of four found; of what is predicted as 1 a fifth is of class 0.
  Pair(0, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1});
  EXPECT_TRUE(Evaluate("Confusion:min_diag=0.75;max_off_diag=0.2").findings.empty());
  EXPECT_EQ(Evaluate("Confusion:min_diag=0.76;max_off_diag=0.2").findings.at(0).value, 0.75);
  const RuleReport off = Evaluate("Confusion:min_diag=0.75;max_off_diag=0.19");
  ASSERT_EQ(off.findings.size(), 1u);
  EXPECT_EQ(off.findings[0].value, 0.2);
  EXPECT_EQ(off.findings[0].message,
            "predictions: 1 of 5 predictions of class 1 are labeled 0 (0.2, threshold 0.19) at "
            "step 0");
}

TEST_F(ConfusionTest, EachStepIsEvaluatedAlone) {
  Pair(0, {0, 1}, {1, 1});
  Pair(1, {0, 1}, {0, 1});
  Pair(2, {0, 1}, {0, 0});
  EXPECT_EQ(FiredAt(Evaluate("Confusion")), (std::vector<Step>{0, 2}));
}

TEST_F(ConfusionTest, ProbabilitiesOfTwoClassesAreCutAtAHalf) {
  Pair(0, {0, 0, 1, 1}, {0.5f, 0.1f, 0.51f, 1.7f});
  EXPECT_TRUE(Evaluate("Confusion").findings.empty());
  Pair(1, {0, 0, 1, 1}, {0.6f, 0.1f, 0.6f, 0.9f});
  EXPECT_EQ(FiredAt(Evaluate("Confusion")), std::vector<Step>{1});
}

TEST_F(ConfusionTest, ThoseOfMoreClassesAreRounded) {
  Pair(0, {0, 1, 2, 3}, {0.4f, 1.3f, 1.6f, 3.f});
  EXPECT_TRUE(Evaluate("Confusion").findings.empty());
}

TEST_F(ConfusionTest, RowsOfScores) {
  const auto scores = FloatTensor({3, 2}, {0.9f, 0.1f, 0.2f, 0.8f, NAN, 0.3f});
  Save(0, {{"labels", FloatTensor({3}, {0, 1, 1})}, {"predictions", scores}});
  Save(1, {{"labels", FloatTensor({3}, {0, 1, 0})}, {"predictions", scores}});
  Save(2, {{"labels", FloatTensor({3, 2}, {1, 0, 0, 1, 0, 1})}, {"predictions", scores}});
  EXPECT_EQ(FiredAt(Evaluate("Confusion")), std::vector<Step>{1});
}

TEST_F(ConfusionTest, ClassesBeyondTheNumberCountAsWrong) {
  Pair(0, {0, 0, 0, 1, 5}, {0, 0, 0, 1, 1});
  const RuleReport report = Evaluate("Confusion:category_no=2;max_off_diag=0.4");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 0.5);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], "some class ids are outside 0 to 1");
  // Without the number class 5 is one like the others, of which nothing was found.
  EXPECT_EQ(Evaluate("Confusion").findings.at(0).value, 0);
}

TEST_F(ConfusionTest, PredictionsBeyondTheNumberAreNoClassOfTheirOwn) {
  // Class 1 loses one of ten by it, but nothing is said of class 7.
  Pair(0, {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7});
  EXPECT_TRUE(Evaluate("Confusion:category_no=2").findings.empty());
  EXPECT_EQ(Evaluate("Confusion:category_no=2;min_diag=0.91").findings.at(0).value, 0.9);
}

TEST_F(ConfusionTest, WhatWasNotSeenIsNotEvaluated) {
  Pair(0, {0, 2}, {0, 2});
  EXPECT_TRUE(Evaluate("Confusion:category_no=9").findings.empty());
}

TEST_F(ConfusionTest, NonFiniteValuesAreLeftOut) {
  Pair(0, {0, 1, NAN, 1}, {0, 1, 0, INFINITY});
  Pair(1, {NAN}, {0});
  const RuleReport report = Evaluate("Confusion");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.steps, 1);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{
                "1 tensor skipped (first: predictions): no finite prediction with a finite label"});
}

TEST_F(ConfusionTest, MissingAndUnequalOnesAreSkipped) {
  Save(0, "labels", {0});
  Save(1, "predictions", {0});
  Pair(2, {0, 1}, {0});
  const RuleReport report = Evaluate("Confusion");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.notes.size(), 3u);
}

TEST_F(ConfusionTest, HugeNumbersAreNoClasses) {
  Pair(0, {0, 1e9f}, {0, 1e9f});
  const RuleReport report = Evaluate("Confusion:compat_diagonal=True");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "all matching tensors were skipped: too many classes");
}

TEST_F(ConfusionTest, PatternsChooseInsideTheCollections) {
  Save(0, {{"labels", FloatTensor({1}, {0})},
           {"predictions", FloatTensor({1}, {1})},
           {"my_labels", FloatTensor({1}, {1})}});
  EXPECT_EQ(FiredAt(Evaluate("Confusion:labels=labels")), std::vector<Step>{0});
  EXPECT_TRUE(Evaluate("Confusion:labels=my_labels;labels_collection=labels").findings.empty());
  // Nothing is inside of a collection that the run does not have.
  EXPECT_EQ(Evaluate("Confusion:labels=my_labels;labels_collection=nonesuch").status,
            RuleStatus::kNotEvaluated);
}

TEST_F(ConfusionTest, APatternAloneWillDoWithoutCollections) {
  has_manifest_ = false;
  Manifest(1);
  Save(0, {{"my_targets", FloatTensor({1}, {0})}, {"my_outputs", FloatTensor({1}, {1})}});
  EXPECT_EQ(FiredAt(Evaluate("Confusion:labels=targets;predictions=outputs")),
            std::vector<Step>{0});
  EXPECT_EQ(Evaluate("Confusion").reason, "no labels or predictions were saved; add --save-all");
}

TEST_F(ConfusionTest, EachWorkerIsEvaluated) {
  has_manifest_ = false;
  Manifest(2, {}, config::Framework::kXgBoost);
  Pair(0, {0, 1}, {0, 1}, 0);
  Pair(0, {0, 1}, {1, 1}, 1);
  const RuleReport report = Evaluate("Confusion");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(ConfusionTest, Refusals) {
  EXPECT_EQ(Refusal("Confusion:category_no=0"),
            "Confusion: category_no is '0'; expected an integer from 1 to 65536");
  EXPECT_EQ(Refusal("Confusion:min_diag=90"),
            "Confusion: min_diag is '90'; expected a number from 0 to 1");
}

}  // namespace
}  // namespace warden::rules
