#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using UnchangedTensorTest = RuleTest;

constexpr const char* kUnchangedRule = "UnchangedTensor:tensor_regex=a";

TEST_F(UnchangedTensorTest, FiresAtTheStepThatCompletesTheNumber) {
  for (const Step step : {0, 5, 7, 8}) Save(step, "a", {1, 2});
  Save(9, "a", {1, 3});
  const RuleReport report = Evaluate(kUnchangedRule);
  ASSERT_EQ(FiredAt(report), std::vector<Step>{7});
  EXPECT_EQ(report.findings[0].last_step, 8);
  EXPECT_EQ(report.findings[0].message,
            "a: unchanged over the last 3 saved steps, since step 0 (rtol 1e-05, atol 1e-08) at "
            "step 7");
  EXPECT_EQ(report.coverage.steps, 3);
  EXPECT_EQ(FiredAt(Evaluate("UnchangedTensor:tensor_regex=a;num_steps=2")), std::vector<Step>{5});
  EXPECT_EQ(FiredAt(Evaluate("UnchangedTensor:tensor_regex=a;num_steps=4")), std::vector<Step>{8});
}

TEST_F(UnchangedTensorTest, TooFewStepsAreNoVerdict) {
  Save(0, "a", {1});
  Save(1, "a", {1});
  const RuleReport report = Evaluate(kUnchangedRule);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 3 steps, found 2");
}

TEST_F(UnchangedTensorTest, WhatWasSavedBeforeTheFirstStepCounts) {
  for (const Step step : {0, 1, 2}) Save(step, "a", {1});
  EXPECT_EQ(FiredAt(Evaluate("UnchangedTensor:tensor_regex=a;start_step=2")), std::vector<Step>{2});
}

TEST_F(UnchangedTensorTest, ToleranceIsThatOfTheCurrentStep) {
  Save(0, "a", {7});
  Save(1, "a", {4});  // |7 - 4| <= 1 + 0.5 * 4.
  EXPECT_EQ(Evaluate("UnchangedTensor:tensor_regex=a;num_steps=2;rtol=0.5;atol=1").findings.size(),
            1u);
  EXPECT_EQ(
      Evaluate("UnchangedTensor:tensor_regex=a;num_steps=2;rtol=0.5;atol=0.99").findings.size(),
      0u);
}

TEST_F(UnchangedTensorTest, EveryOneOfTheStepsIsCompared) {
  // A slow drift: each is close to the next, the first is not close to the last.
  Save(0, "a", {1.0f});
  Save(1, "a", {1.5f});
  Save(2, "a", {2.0f});
  EXPECT_EQ(Evaluate("UnchangedTensor:tensor_regex=a;rtol=0;atol=0.5").findings.size(), 0u);
  EXPECT_EQ(Evaluate("UnchangedTensor:tensor_regex=a;rtol=0;atol=1").findings.size(), 1u);
}

TEST_F(UnchangedTensorTest, NaNFollowsEqualNan) {
  for (const Step step : {0, 1, 2}) Save(step, "a", {1, NAN});
  EXPECT_EQ(Evaluate(kUnchangedRule).status, RuleStatus::kNoIssuesFound);
  const RuleReport report = Evaluate("UnchangedTensor:tensor_regex=a;equal_nan=True");
  ASSERT_EQ(report.findings.size(), 1u);
}

TEST_F(UnchangedTensorTest, AnotherShapeIsAChange) {
  Save(0, Tensors{{"a", FloatTensor({2}, {1, 1})}});
  Save(1, Tensors{{"a", FloatTensor({2, 1}, {1, 1})}});
  EXPECT_EQ(Evaluate("UnchangedTensor:tensor_regex=a;num_steps=2").status,
            RuleStatus::kNoIssuesFound);
}

TEST_F(UnchangedTensorTest, OnlyStepsOfTrainingCount) {
  Save(0, "a", {1});
  Save(1, "a", {1}, Mode::kEval);
  Save(2, "a", {1});
  EXPECT_EQ(Evaluate(kUnchangedRule).reason, "needs 3 steps, found 2");
  Save(3, "a", {1});
  const RuleReport report = Evaluate(kUnchangedRule);
  EXPECT_EQ(FiredAt(report), std::vector<Step>{3});
  EXPECT_EQ(report.notes,
            std::vector<std::string>{"1 tensor skipped (first: a): not saved at training steps"});
}

TEST_F(UnchangedTensorTest, EachWorkerHasItsOwnPast) {
  Manifest(2);
  for (const Step step : {0, 1, 2}) {
    Save(step, "a", {static_cast<float>(step)}, Mode::kTrain, 0);
    Save(step, "a", {5}, Mode::kTrain, 1);
  }
  const RuleReport report = Evaluate(kUnchangedRule);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(UnchangedTensorTest, SkipsWhatCannotBeEvaluated) {
  Save(0, "a", {});
  EXPECT_EQ(Evaluate(kUnchangedRule).reason, "all matching tensors were skipped: no finite values");
  Save(0, SavedReduction("a", "mean", 1));
  EXPECT_EQ(Evaluate(kUnchangedRule).reason,
            "all matching tensors were skipped: full tensors were not saved; add --reductions "
            "none");
  Save(0, Tensors{{"a", {DType::kString, {1}, "", {"text"}}}});
  EXPECT_EQ(Evaluate(kUnchangedRule).reason,
            "all matching tensors were skipped: values are not real "
            "numbers");
}

TEST_F(UnchangedTensorTest, Refusals) {
  EXPECT_EQ(Refusal("UnchangedTensor"),
            "UnchangedTensor: no tensors selected; set collection_names or tensor_regex");
  EXPECT_EQ(Refusal("UnchangedTensor:tensor_regex=a;num_steps=1"),
            "UnchangedTensor: num_steps is '1'; expected an integer >= 2");
}

}  // namespace
}  // namespace warden::rules
