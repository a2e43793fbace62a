#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

constexpr char kShort[] = "Overtraining:patience_train=2;patience_validation=2;delta=0.25";

class OvertrainingTest : public RuleTest {
 protected:
  // One TRAIN and one EVAL step for each.
  void Rounds(const std::vector<std::pair<float, float>>& losses) {
    for (const auto& [train, eval] : losses) {
      Save(next_++, kLoss, {train});
      Save(next_++, kLoss, {eval}, Mode::kEval);
    }
  }
  Step next_ = 0;
};

TEST_F(OvertrainingTest, FiresWhenNeitherLossImproves) {
  // TRAIN improves last at step 0, EVAL at step 3 (by exactly delta).
  Rounds({{1, 1}, {0.875, 0.75}, {0.875, 0.75}, {0.875, 0.75}});
  const RuleReport report = Evaluate(kShort);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 7);
  EXPECT_EQ(report.findings[0].mode, Mode::kEval);
  EXPECT_EQ(report.findings[0].value, 2);
  EXPECT_EQ(report.findings[0].message,
            "CrossEntropyLoss_output_0: TRAIN loss (for 3 saved steps) and EVAL loss (for 2) have "
            "not improved by 0.25 at step 7 (EVAL)");
}

TEST_F(OvertrainingTest, FiresInTrainingToo) {
  Rounds({{4, 1}, {3, 1}, {2, 1}});
  Save(6, kLoss, {2});
  Save(7, kLoss, {2});
  const RuleReport report = Evaluate(kShort);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 7);
  EXPECT_EQ(report.findings[0].mode, Mode::kTrain);
}

TEST_F(OvertrainingTest, TrainingThatImprovesIsNoOvertraining) {
  Rounds({{8, 1}, {7, 1}, {6, 1}, {5, 1}, {4, 1}, {3, 1}});
  EXPECT_EQ(Evaluate(kShort).status, RuleStatus::kNoIssuesFound);
}

TEST_F(OvertrainingTest, SmallStepsAddUp) {
  // Each is less than delta below the one before, but two of them are not.
  Rounds({{1, 2}, {0.875, 1.875}, {0.75, 1.75}, {0.625, 1.625}, {0.5, 1.5}, {0.375, 1.375}});
  EXPECT_EQ(Evaluate(kShort).status, RuleStatus::kNoIssuesFound);
}

TEST_F(OvertrainingTest, ARisingEvalLossFiresAlone) {
  Rounds({{8, 1}, {7, 1.25}, {6, 1.125}, {5, 1.25}, {4, 2}, {3, 1}});
  const RuleReport report = Evaluate(kShort);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].step, 9);
  EXPECT_EQ(report.findings[0].value, 1);
  EXPECT_EQ(
      report.findings[0].message,
      "CrossEntropyLoss_output_0: EVAL loss 2 has been above its best 1 by at least 0.25 for 2 "
      "saved steps at step 9 (EVAL)");
  EXPECT_EQ(report.findings[1].step, 10);  // Training goes on while that holds.
  EXPECT_EQ(report.findings[1].mode, Mode::kTrain);
}

TEST_F(OvertrainingTest, WithoutTrainingLossesTheRiseIsEvaluated) {
  for (Step step = 0; step < 4; ++step)
    Save(step, kLoss, {1 + static_cast<float>(step)}, Mode::kEval);
  EXPECT_EQ(FiredAt(Evaluate(kShort)), std::vector<Step>{2});
}

TEST_F(OvertrainingTest, WithoutEvaluationNothingIs) {
  for (Step step = 0; step < 9; ++step) Save(step, kLoss, {1});
  const RuleReport report = Evaluate("Overtraining");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 11 EVAL losses, found 0");
}

TEST_F(OvertrainingTest, ARunWithoutModesIsNotEvaluated) {
  for (Step step = 0; step < 30; ++step) Save(step, kLoss, {1}, Mode::kGlobal);
  EXPECT_EQ(Evaluate("Overtraining").reason, "needs TRAIN and EVAL losses, found none");
}

TEST_F(OvertrainingTest, TooFewEvaluations) {
  Rounds({{1, 1}, {1, 1}});
  const RuleReport report = Evaluate(kShort);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 3 EVAL losses, found 2");
}

TEST_F(OvertrainingTest, NonFiniteLossesDoNotCount) {
  Rounds({{1, 1}, {1, NAN}, {1, 1}, {1, INFINITY}});
  const RuleReport report = Evaluate(kShort);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 3 EVAL losses, found 2");
}

TEST_F(OvertrainingTest, WorkersAndNamesAreKeptApart) {
  Manifest(2);
  for (Step i = 0; i < 6; ++i) {
    const auto x = static_cast<float>(i);
    Save(2 * i, "a_loss_output_0", {9 - x}, Mode::kTrain, 0);  // Improves.
    Save(2 * i, "a_loss_output_0", {9}, Mode::kTrain, 1);
    for (const int worker : {0, 1}) Save(2 * i + 1, "b_loss_output_0", {1}, Mode::kEval, worker);
  }
  const RuleReport report = Evaluate(kShort);
  ASSERT_EQ(report.findings.size(), 2u);  // Of worker 1: first in EVAL, then in TRAIN.
  EXPECT_EQ(report.findings[0].tensor, "b_loss_output_0");
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(report.findings[0].step, 5);
  EXPECT_EQ(report.findings[1].tensor, "a_loss_output_0");
  EXPECT_EQ(report.findings[1].worker, "worker_1");
}

TEST_F(OvertrainingTest, Refusals) {
  EXPECT_EQ(Refusal("Overtraining:delta=-1"),
            "Overtraining: delta is '-1'; expected a non-negative number");
  EXPECT_EQ(Refusal("Overtraining:patience=1"),
            "Overtraining: unknown parameter 'patience'; expected one of: patience_train, "
            "patience_validation, delta, start_step, end_step");
}

TEST_F(OvertrainingTest, XgboostSavesBothLossesInOneStep) {
  Manifest(1, {}, config::Framework::kXgBoost);
  const float validation[] = {1, 0.5F, 0.5F, 1, 1, 1};
  for (Step step = 0; step < 6; ++step) {
    Save(step,
         {{"train-rmse", FloatTensor({}, {8.0F - static_cast<float>(step)})},
          {"validation-rmse", FloatTensor({}, {validation[step]})}},
         Mode::kGlobal);
  }
  const RuleReport report = Evaluate(kShort);
  ASSERT_EQ(report.status, RuleStatus::kIssuesFound);
  EXPECT_EQ(report.findings[0].step, 4);
}

}  // namespace
}  // namespace warden::rules
