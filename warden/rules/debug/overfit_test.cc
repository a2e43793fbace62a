#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class OverfitTest : public RuleTest {
 protected:
  void Train(Step step, float loss, const std::string& name = kLoss) { Save(step, name, {loss}); }
  void Eval(Step step, float loss, const std::string& name = kLoss) {
    Save(step, name, {loss}, Mode::kEval);
  }
};

TEST_F(OverfitTest, ComparesTheMeansSinceTheLastEvaluation) {
  Train(0, 3);
  Train(1, 1);
  Eval(2, 1);
  Eval(3, 4);  // 2.5 against 2: exactly 0.25.
  Train(4, 2);
  Eval(5, 2);
  Eval(6, 4);  // 3 against 2: 0.5.
  Train(7, 2);
  const RuleReport report = Evaluate("Overfit:ratio_threshold=0.25");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 6);  // The last of the evaluation.
  EXPECT_EQ(report.findings[0].mode, Mode::kEval);
  EXPECT_EQ(report.findings[0].value, 0.5);
  EXPECT_EQ(report.findings[0].threshold, 0.25);
  EXPECT_EQ(report.findings[0].message,
            "CrossEntropyLoss_output_0: mean EVAL loss 3 is above mean TRAIN loss 2 by a ratio of "
            "0.5 (threshold 0.25) in 1 evaluation in a row at step 6 (EVAL)");
  EXPECT_EQ(report.coverage.steps, 2);
  EXPECT_EQ(report.coverage.tensors, 1);
}

TEST_F(OverfitTest, TheLastEvaluationOfTheRunCounts) {
  Train(0, 1);
  Eval(1, 2);
  Eval(2, 1);
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{2});
  EXPECT_EQ(report.findings[0].value, 0.5);
}

TEST_F(OverfitTest, PatienceCountsEvaluationsInARow) {
  Step step = 0;
  for (const float eval : {2.f, 1.f, 2.f, 2.f, 2.f, 1.f, 2.f}) {
    Train(step++, 1);
    Eval(step++, eval);
  }
  const RuleReport report = Evaluate("Overfit:patience=2");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{7});
  EXPECT_EQ(report.findings[0].last_step, 9);
  EXPECT_EQ(report.findings[0].count, 2);
}

TEST_F(OverfitTest, NegativeAndZeroLosses) {
  Train(0, -4);
  Eval(1, -2);  // (-2 + 4) / 4 = 0.5.
  Train(2, 0);
  Eval(3, 0);  // Nothing above nothing.
  Train(4, 0);
  Eval(5, 1);  // Infinitely far.
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(FiredAt(report), (std::vector<Step>{1, 5}));
  EXPECT_EQ(report.findings[0].value, 0.5);
  EXPECT_TRUE(std::isinf(report.findings[1].value));
}

TEST_F(OverfitTest, APatternMatchesOnlyScalars) {
  const auto tensors = [](float loss, float other) {
    return Tensors{{kLoss, FloatTensor({}, {loss})},
                   {"fc1_output_0", FloatTensor({2}, {other, other})},
                   {"accuracy", FloatTensor({1}, {other})}};
  };
  Save(0, tensors(1, 1));
  Save(1, tensors(1, 9), Mode::kEval);
  const RuleReport report = Evaluate("Overfit:tensor_regex=.*");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.tensors, 1);
}

TEST_F(OverfitTest, StartStepIsAGlobalStep) {
  Train(0, 1);
  Eval(1, 9);
  Train(2, 8);
  Train(4, 2);
  Eval(5, 3);
  EXPECT_EQ(FiredAt(Evaluate("Overfit:start_step=4")), std::vector<Step>{5});
  EXPECT_EQ(FiredAt(Evaluate("Overfit:start_step=2")), std::vector<Step>{});  // Mean of 8 and 2.
}

TEST_F(OverfitTest, AnEvaluationWithoutTrainingIsNotEvaluated) {
  Eval(0, 9);
  Train(1, 1);
  Eval(2, 1);
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0],
            "1 tensor skipped (first: CrossEntropyLoss_output_0): no TRAIN losses before the "
            "evaluation");
}

TEST_F(OverfitTest, TrainingThatSavedNothingBreaksAnEvaluation) {
  const auto save = [&](Step step, Mode mode, Step mode_step, float loss) {
    trial::StepOptions options;
    options.mode = mode;
    options.mode_step = mode_step;
    builder_.Tensors(step, 0, {{kLoss, FloatTensor({}, {loss})}}, options);
  };
  save(0, Mode::kTrain, 0, 1);
  save(10, Mode::kEval, 0, 2);
  save(11, Mode::kEval, 1, 2);
  save(20, Mode::kEval, 2, 9);  // Steps 12 to 19 were something else.
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{11});
  EXPECT_EQ(report.findings[0].value, 1);
}

TEST_F(OverfitTest, LossesOfOtherNamesAreComparedIfThereIsNothingElse) {
  Train(0, 1, "loss");
  Eval(1, 2, "val_loss");
  const RuleReport report = Evaluate("Overfit:tensor_regex=loss");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].tensor, "val_loss");
}

TEST_F(OverfitTest, EachLossIsComparedWithItself) {
  Save(0, {{"a_loss", FloatTensor({}, {1})}, {"b_loss", FloatTensor({}, {100})}});
  Save(1, {{"a_loss", FloatTensor({}, {2})}, {"b_loss", FloatTensor({}, {100})}}, Mode::kEval);
  const RuleReport report = Evaluate("Overfit:tensor_regex=loss");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].tensor, "a_loss");
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(OverfitTest, EachWorkerIsComparedWithItself) {
  Manifest(2);
  for (const int worker : {0, 1}) {
    Save(0, kLoss, {worker == 0 ? 1.f : 9.f}, Mode::kTrain, worker);
    Save(1, kLoss, {2}, Mode::kEval, worker);
  }
  const RuleReport report = Evaluate("Overfit");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_0");
}

TEST_F(OverfitTest, NonFiniteLossesAreLeftOut) {
  Train(0, 1);
  Train(1, NAN);
  Eval(2, INFINITY);
  Eval(3, 1);
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.notes.size(), 1u);
}

TEST_F(OverfitTest, WithoutEvaluations) {
  Train(0, 1);
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs EVAL losses after TRAIN losses, found none");
}

TEST_F(OverfitTest, Refusals) {
  EXPECT_EQ(Refusal("Overfit:patience=0"), "Overfit: patience is '0'; expected a positive integer");
  EXPECT_EQ(Refusal("Overfit:start_step=-1"),
            "Overfit: start_step is '-1'; expected a non-negative integer");
}

TEST_F(OverfitTest, XgboostSavesBothLossesInOneStep) {
  Manifest(1, {}, config::Framework::kXgBoost);
  const auto save = [&](Step step, float train, float validation) {
    Save(step,
         {{"train-rmse", FloatTensor({}, {train})},
          {"train-aucpr", FloatTensor({}, {0.25F})},
          {"validation-rmse", FloatTensor({}, {validation})},
          {"validation-aucpr", FloatTensor({}, {0.75F})}},
         Mode::kGlobal);
  };
  save(0, 4, 4);
  save(5, 2, 3);
  save(10, 2, 2);
  const RuleReport report = Evaluate("Overfit");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{5});
  EXPECT_EQ(report.findings[0].tensor, "validation-rmse");
  EXPECT_EQ(report.findings[0].value, 0.5);
}

}  // namespace
}  // namespace warden::rules
