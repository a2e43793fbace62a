#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using WeightUpdateRatioTest = RuleTest;

TEST_F(WeightUpdateRatioTest, FiresBeyondEitherThreshold) {
  Save(0, "fc.weight", {3, 4});   // Norm 5.
  Save(1, "fc.weight", {6, 8});   // Changed by 5: ratio 1.
  Save(2, "fc.weight", {6, 28});  // By 20 of 10: 2.
  Save(3, "fc.weight", {6, 28});  // By nothing.
  const std::string exact = "WeightUpdateRatio:epsilon=0;";
  const RuleReport large = Evaluate(exact + "large_threshold=1;small_threshold=0");
  ASSERT_EQ(FiredAt(large), std::vector<Step>{2});
  EXPECT_EQ(large.findings[0].value, 2);
  EXPECT_EQ(large.findings[0].threshold, 1);
  EXPECT_EQ(large.findings[0].message,
            "fc.weight: update ratio |w - w'| / |w'| 2 since step 1 is above 1 at step 2");
  EXPECT_EQ(large.coverage.steps, 3);
  const RuleReport small = Evaluate(exact + "small_threshold=1");
  ASSERT_EQ(FiredAt(small), std::vector<Step>{3});
  EXPECT_EQ(small.findings[0].message,
            "fc.weight: update ratio |w - w'| / |w'| 0 since step 2 is below 1 at step 3");
}

TEST_F(WeightUpdateRatioTest, EpsilonIsAddedToTheNorm) {
  Save(0, "fc.weight", {3, 4});
  Save(1, "fc.weight", {9, 12});  // 10 / (5 + 5).
  EXPECT_TRUE(Evaluate("WeightUpdateRatio:epsilon=5;large_threshold=1").findings.empty());
  EXPECT_EQ(Evaluate("WeightUpdateRatio:epsilon=4.9;large_threshold=1").findings.size(), 1u);
}

TEST_F(WeightUpdateRatioTest, NumStepsChoosesTheOldestWithinReach) {
  for (const Step step : {0, 4, 8, 12}) {
    Save(step, "fc.weight", {static_cast<float>(1 << (step / 4))});  // 1, 2, 4, 8.
  }
  const RuleReport report = Evaluate("WeightUpdateRatio:num_steps=8;large_threshold=2.9;epsilon=0");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{8});  // (4 - 1) / 1, and (8 - 2) / 2 at 12.
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.findings[0].value, 3);
  EXPECT_EQ(Evaluate("WeightUpdateRatio:num_steps=7;large_threshold=0.9").findings[0].value,
            1 / (1 + 1e-9));
  EXPECT_EQ(Evaluate("WeightUpdateRatio:num_steps=3").reason,
            "needs 2 saved steps within 3 steps, "
            "found 1");
}

TEST_F(WeightUpdateRatioTest, StepsAreCountedInTrainingAndToldAsGlobalOnes) {
  // Global steps 10 and 30 are the steps 1 and 2 of training.
  for (const Step step : {1, 2}) {
    builder_.Tensors(step * 20 - 10, 0, {{"fc.weight", FloatTensor({1}, {1})}},
                     {.mode = Mode::kTrain, .mode_step = step});
  }
  EXPECT_EQ(Evaluate("WeightUpdateRatio:num_steps=1").findings.at(0).message,
            "fc.weight: update ratio |w - w'| / |w'| 0 since step 10 is below 1e-08 at step 30");
}

TEST_F(WeightUpdateRatioTest, OnlyStepsOfTrainingCount) {
  Save(0, "fc.weight", {1});
  Save(1, "fc.weight", {100}, Mode::kEval);
  Save(2, "fc.weight", {2});
  EXPECT_TRUE(Evaluate("WeightUpdateRatio").findings.empty());
  EXPECT_EQ(Evaluate("WeightUpdateRatio").coverage.steps, 1);
  EXPECT_EQ(Evaluate("WeightUpdateRatio:end_step=2").reason, "needs 2 steps, found 1");
}

TEST_F(WeightUpdateRatioTest, WhatWasZeroIsEvaluatedToTheLetterOnly) {
  Save(0, "fc.weight", {0, 0});
  Save(1, "fc.weight", {0, 1});
  const RuleReport report = Evaluate("WeightUpdateRatio");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(
      report.reason,
      "all matching tensors were skipped: all zeros at the previous step (compat_zero=True checks "
      "them)");
  const RuleReport letter = Evaluate("WeightUpdateRatio:compat_zero=True");
  ASSERT_EQ(letter.findings.size(), 1u);
  EXPECT_DOUBLE_EQ(letter.findings[0].value, 1e9);
}

TEST_F(WeightUpdateRatioTest, WhatHasNoGradientWhileOthersDoIsFrozen) {
  for (const Step step : {0, 1}) {
    Save(step, Tensors{{"Net_a.weight", FloatTensor({1}, {1})},
                       {"Net_b.weight", FloatTensor({1}, {1.f + static_cast<float>(step)})},
                       {"gradient/Net_b.weight", FloatTensor({1}, {1})}});
  }
  const RuleReport report = Evaluate("WeightUpdateRatio");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.tensors, 1);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{"1 tensor skipped (first: Net_a.weight): no gradient, while "
                                     "other weights have one (compat_frozen=True checks them)"});
  const RuleReport letter = Evaluate("WeightUpdateRatio:compat_frozen=True");
  ASSERT_EQ(letter.findings.size(), 1u);
  EXPECT_EQ(letter.findings[0].tensor, "Net_a.weight");
}

TEST_F(WeightUpdateRatioTest, WithoutGradientsNothingIsTakenForFrozen) {
  Save(0, "fc.weight", {1});
  Save(1, "fc.weight", {1});
  EXPECT_EQ(FiredAt(Evaluate("WeightUpdateRatio")), std::vector<Step>{1});
}

TEST_F(WeightUpdateRatioTest, NormsAreOfWhatIsFiniteAtBothSteps) {
  Save(0, "fc.weight", {3, 4, NAN, 1});
  Save(1, "fc.weight", {6, 8, 1, INFINITY});  // 5 / 5.
  Save(2, "fc.weight", {NAN, NAN, NAN, 1});   // Nothing is finite at both.
  const RuleReport report = Evaluate("WeightUpdateRatio:large_threshold=0.5");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].message,
            "fc.weight: update ratio |w - w'| / |w'| 1 since step 0 is above 0.5 (1 of 4 values "
            "are not finite) at step 1");
  EXPECT_EQ(report.coverage.steps, 1);
}

TEST_F(WeightUpdateRatioTest, SkipsWhatCannotBeCompared) {
  Save(0, "fc.weight", {1, 2});
  Save(1, "fc.weight", {1});
  EXPECT_EQ(Evaluate("WeightUpdateRatio").reason,
            "all matching tensors were skipped: shape or type changed since the previous step");
  Save(2, SavedReduction("fc.weight", "l2", 3));
  Save(3, "fc.weight", {2});
  const RuleReport report = Evaluate("WeightUpdateRatio");
  EXPECT_EQ(report.coverage.steps, 1);
  EXPECT_EQ(report.notes.size(), 2u);
}

TEST_F(WeightUpdateRatioTest, EachWorkerHasItsOwnPast) {
  Manifest(2);
  for (const Step step : {0, 1}) {
    Save(step, "fc.weight", {1.f + static_cast<float>(step)}, Mode::kTrain, 0);
    Save(step, "fc.weight", {5}, Mode::kTrain, 1);
  }
  const RuleReport report = Evaluate("WeightUpdateRatio");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(WeightUpdateRatioTest, SaysWhatWasMissing) {
  Save(0, "gradient/fc.weight", {1});
  EXPECT_EQ(Evaluate("WeightUpdateRatio").reason,
            "no weights were saved; save the collection "
            "weights");
}

TEST_F(WeightUpdateRatioTest, Refusals) {
  EXPECT_EQ(Refusal("WeightUpdateRatio:num_steps=0"),
            "WeightUpdateRatio: num_steps is '0'; expected a positive integer");
  EXPECT_EQ(Refusal("WeightUpdateRatio:large_threshold=1;small_threshold=2"),
            "WeightUpdateRatio: small_threshold is 2; expected at most large_threshold (1)");
}

}  // namespace
}  // namespace warden::rules
