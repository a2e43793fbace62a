#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using VanishingGradientTest = RuleTest;

TEST_F(VanishingGradientTest, FiresBelowTheThresholdAlone) {
  Save(0, "gradient/fc.weight", {0.5f, -0.5f});
  Save(1, "gradient/fc.weight", {0.25f, -0.25f});   // Exactly the threshold.
  Save(2, "gradient/fc.weight", {0.125f, -0.25f});  // 0.1875.
  const RuleReport report = Evaluate("VanishingGradient:threshold=0.25");
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 2);
  EXPECT_EQ(report.findings[0].value, 0.1875);
  EXPECT_EQ(report.findings[0].threshold, 0.25);
  EXPECT_EQ(report.findings[0].message,
            "gradient/fc.weight: mean |g| 0.188 is below 0.25 at step 2");
  EXPECT_EQ(report.coverage.tensors, 1);
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(VanishingGradientTest, AnUnbrokenRunOfStepsIsOneFinding) {
  for (const Step step : {0, 1, 2, 5, 6}) {
    Save(step, "gradient/a", {step == 2 ? 1.f : 1e-9f});
  }
  const RuleReport report = Evaluate("VanishingGradient");
  EXPECT_EQ(FiredAt(report), (std::vector<Step>{0, 5}));
  EXPECT_EQ(report.findings[0].last_step, 1);
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.findings[1].last_step, 6);
}

TEST_F(VanishingGradientTest, ANaNHidesNothing) {
  Save(0, "gradient/a", {1e-9f, NAN, -1e-9f, INFINITY});
  const RuleReport report = Evaluate("VanishingGradient");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "gradient/a: mean |g| 1e-09 is below 1e-07 (2 of 4 values are not finite) at step 0");
}

TEST_F(VanishingGradientTest, NothingFiniteAndNothingAtAllAreSkipped) {
  Save(0, "gradient/a", {NAN});
  Save(1, "gradient/a", {});
  const RuleReport report = Evaluate("VanishingGradient");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "all matching tensors were skipped: no finite values");
}

TEST_F(VanishingGradientTest, SaysWhatWasMissing) {
  Save(0, "fc.weight", {1e-9f});
  const RuleReport report = Evaluate("VanishingGradient");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "no gradients were saved; save the collection gradients");
}

TEST_F(VanishingGradientTest, ASavedReductionWillDo) {
  Save(0, SavedReduction("gradient/a", "abs_mean", 1e-8f));
  Save(1, SavedReduction("gradient/a", "abs_max", 0));
  Save(2, SavedReduction("gradient/a", "std", 0));  // Says nothing of the mean.
  const RuleReport report = Evaluate("VanishingGradient");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{0});
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.coverage.steps, 2);
  ASSERT_EQ(report.notes.size(), 1u);
}

TEST_F(VanishingGradientTest, EveryWorkerIsEvaluated) {
  Manifest(2);
  Save(0, "gradient/a", {1}, Mode::kTrain, 0);
  Save(0, "gradient/a", {0}, Mode::kTrain, 1);
  const RuleReport report = Evaluate("VanishingGradient");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(VanishingGradientTest, RefusesABadThreshold) {
  EXPECT_EQ(Refusal("VanishingGradient:threshold=tiny"),
            "VanishingGradient: threshold is 'tiny'; expected a non-negative number");
  EXPECT_EQ(Refusal("vanishing_gradient:treshold=1"),
            "VanishingGradient: unknown parameter 'treshold'; expected one of: threshold, "
            "start_step, end_step");
}

}  // namespace
}  // namespace warden::rules
