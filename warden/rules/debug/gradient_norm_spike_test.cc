#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class GradientNormSpikeTest : public RuleTest {
 protected:
  // Two tensors of norms a and b.
  void Gradients(Step step, float a, float b, int worker = 0) {
    Save(step,
         {{"gradient/a", FloatTensor({2}, {0, a})}, {"gradient/b", FloatTensor({1, 1}, {-b})}},
         Mode::kTrain, worker);
  }
};

TEST_F(GradientNormSpikeTest, FiresAboveThatManyTimesTheMedian) {
  for (Step step = 0; step < 10; ++step) Gradients(step, 3, 4);  // Norm 5.
  Gradients(10, 30, 40);                                         // Exactly ten times.
  Gradients(11, 48, 20);                                         // 52.
  Gradients(12, 3, 4);
  const RuleReport report = Evaluate("GradientNormSpike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 11);
  EXPECT_EQ(report.findings[0].last_step, 11);
  EXPECT_EQ(report.findings[0].value, 10.4);
  EXPECT_EQ(report.findings[0].threshold, 10);
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(report.findings[0].message,
            "global gradient norm 52 is 10.4 times the median 5 of the last 11 norms (threshold "
            "10), largest in gradient/a (48) at step 11");
  EXPECT_EQ(report.coverage.tensors, 2);
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(GradientNormSpikeTest, MaxNormHoldsFromTheStart) {
  Gradients(0, 3, 4);
  Gradients(1, 5, 12);
  const RuleReport report = Evaluate("GradientNormSpike:max_norm=5");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 1);
  EXPECT_EQ(report.findings[0].value, 13);
  EXPECT_EQ(report.findings[0].message,
            "global gradient norm 13 is above 5, largest in gradient/b (12) at step 1");
  EXPECT_EQ(report.coverage.steps, 2);
}

TEST_F(GradientNormSpikeTest, TheOtherName) {
  Gradients(0, 5, 12);
  EXPECT_EQ(FiredAt(Evaluate("GradientClipping:max_norm=5")), std::vector<Step>{0});
}

TEST_F(GradientNormSpikeTest, TooFewSteps) {
  for (Step step = 0; step < 9; ++step) Gradients(step, 1, 1);
  Gradients(9, 1000, 1);
  const RuleReport report = Evaluate("GradientNormSpike");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 10 gradient norms, found 9");
}

TEST_F(GradientNormSpikeTest, SavedNormsWillDo) {
  for (Step step = 0; step < 11; ++step) {
    Save(step, SavedReduction("gradient/a", "l2", step == 10 ? 60 : 5));
  }
  EXPECT_EQ(FiredAt(Evaluate("GradientNormSpike")), std::vector<Step>{10});
}

TEST_F(GradientNormSpikeTest, OtherReductionsAreSkipped) {
  Save(0, SavedReduction("gradient/a", "mean", 1));
  const RuleReport report = Evaluate("GradientNormSpike");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason,
            "all matching tensors were skipped: the saved statistics are not enough; save full "
            "tensors (--reductions none)");
}

TEST_F(GradientNormSpikeTest, NaNHidesNothing) {
  for (Step step = 0; step < 10; ++step) Gradients(step, 3, 4);
  Save(10, {{"gradient/a", FloatTensor({2}, {NAN, 60})}, {"gradient/b", FloatTensor({1}, {NAN})}});
  const RuleReport report = Evaluate("GradientNormSpike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 12);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{"1 tensor skipped (first: gradient/b): no finite values"});
}

TEST_F(GradientNormSpikeTest, TheMedianForgets) {
  for (Step step = 0; step < 10; ++step) Gradients(step, 1, 0);
  for (Step step = 10; step < 30; ++step) Gradients(step, 20, 0);
  const RuleReport report = Evaluate("GradientNormSpike:window=10");
  // The median of the last ten is 10.5 once five of them are 20: at step 15.
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 10);
  EXPECT_EQ(report.findings[0].last_step, 14);
}

TEST_F(GradientNormSpikeTest, ZerosHaveNoUsualSize) {
  for (Step step = 0; step < 10; ++step) Gradients(step, 0, 0);
  Gradients(10, 1, 1);
  EXPECT_EQ(Evaluate("GradientNormSpike").status, RuleStatus::kNoIssuesFound);
}

TEST_F(GradientNormSpikeTest, EachWorkerIsEvaluated) {
  Manifest(2);
  for (Step step = 0; step < 12; ++step) {
    Gradients(step, 100, 0, 0);
    Gradients(step, step < 10 ? 1 : 100, 0, 1);
  }
  const RuleReport report = Evaluate("GradientNormSpike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(report.findings[0].count, 2);
}

TEST_F(GradientNormSpikeTest, Refusals) {
  EXPECT_EQ(Refusal("GradientNormSpike:min_steps=51"),
            "GradientNormSpike: min_steps is 51; expected at most window (50)");
  EXPECT_EQ(Refusal("GradientNormSpike:max_norm=-1"),
            "GradientNormSpike: max_norm is '-1'; expected a non-negative number");
}

}  // namespace
}  // namespace warden::rules
