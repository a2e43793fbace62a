#include <algorithm>

#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kEvaluationMode[] = "EvaluationMode:passes=5";
using EvaluationModeTest = TrainingTest;

TEST_F(EvaluationModeTest, FiresWhenTheModelIsEvaluatedInTrainMode) {
  for (Step step = 0; step < 20; ++step) {
    if (step < 10) {
      Note(step, {{"optimizer_step", static_cast<double>(step)}});
    } else {
      Note(step, {{"evaluations_in_train_mode", static_cast<double>(step - 9)}},
           R"({"evaluation_line": "train.py:40"})");
    }
  }
  const Finding finding = Only(Evaluate(kEvaluationMode));
  EXPECT_EQ(finding.step, 14);
  EXPECT_TRUE(Says(finding.message, {"evaluated in train mode", "dropout", "(train.py:40)"}));
  EXPECT_TRUE(Says(finding.advice, {"model.eval()"}));
}

TEST_F(EvaluationModeTest, FiresWhenTrainingContinuesInEvalMode) {
  for (Step step = 0; step < 20; ++step) {
    Note(step, {{"backwards_in_eval_mode", static_cast<double>(step)}},
         R"({"eval_mode_line": "train.py:12"})");
  }
  const Finding finding = Only(Evaluate(kEvaluationMode));
  EXPECT_EQ(finding.step, 5);
  EXPECT_EQ(finding.last_step, 19);
  EXPECT_TRUE(Says(finding.message, {"training continues in eval mode", "(train.py:12)"}));
  EXPECT_TRUE(Says(finding.advice, {"model.train()"}));
}

TEST_F(EvaluationModeTest, OfBothMistakesTheOneInTrainingIsNamed) {
  for (Step step = 0; step < 20; ++step) {
    Note(step, {{"backwards_in_eval_mode", static_cast<double>(step)},
                {"evaluations_in_train_mode", static_cast<double>(step)}});
  }
  const RuleReport report = Evaluate(kEvaluationMode);
  EXPECT_TRUE(
      std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.step == 5 && Says(finding.message, {"training continues in eval mode"});
      }));
}

TEST_F(EvaluationModeTest, AFewPassesAreNotAnEvaluation) {
  for (Step step = 0; step < 50; ++step) {
    Note(step, {{"evaluations_in_train_mode", 2}, {"backwards_in_eval_mode", 1}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kEvaluationMode)));
}

TEST_F(EvaluationModeTest, AScriptThatUsesBothModesKnowsWhatItDoes) {
  Note(0, {{"capture_share", 0.01}});
  Note(1, {{"forwards_in_eval_mode", 1}}, "", {}, Mode::kEval);
  for (Step step = 2; step < 50; ++step) {
    Note(step, {{"evaluations_in_train_mode", static_cast<double>(step)}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kEvaluationMode)));
}

TEST_F(EvaluationModeTest, BadInputIsLeftOut) {
  BadSteps({"evaluations_in_train_mode", "backwards_in_eval_mode"});
  EXPECT_TRUE(IsSilent(Evaluate("EvaluationMode")));
}

}  // namespace
}  // namespace warden::rules
