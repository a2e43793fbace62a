#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kGradientsNotCleared[] = "GradientsNotCleared:steps=3";
using GradientsNotClearedTest = TrainingTest;

TEST_F(GradientsNotClearedTest, FiresAfterSomeStepsWithoutClearing) {
  for (Step step = 0; step < 10; ++step) {
    Note(step, {{"steps_without_clearing", static_cast<double>(step)}},
         step == 0 ? R"({"step_line": "train.py:42"})" : "");
  }
  const Finding finding = Only(Evaluate(kGradientsNotCleared));
  EXPECT_EQ(finding.step, 3);
  EXPECT_EQ(finding.last_step, 9);
  EXPECT_EQ(finding.value, 3);
  EXPECT_TRUE(Says(finding.message, {"3 optimizer steps", "zero_grad()", "(train.py:42)"}));
  EXPECT_TRUE(Says(finding.advice, {"zero_grad()"}));
}

TEST_F(GradientsNotClearedTest, ALineThatIsNotATextIsLeftOut) {
  for (Step step = 0; step < 10; ++step) {
    Note(step, {{"steps_without_clearing", static_cast<double>(step)}}, R"({"step_line": 42})");
  }
  EXPECT_TRUE(Says(Only(Evaluate(kGradientsNotCleared)).message, {"zero_grad() at step 3"}));
}

TEST_F(GradientsNotClearedTest, EndsOnceTheyAreCleared) {
  const std::vector<double> steps = {0, 1, 2, 3, 4, 0, 0, 0};
  for (size_t i = 0; i < steps.size(); ++i) {
    Note(static_cast<Step>(i), {{"steps_without_clearing", steps[i]}});
  }
  const Finding finding = Only(Evaluate(kGradientsNotCleared));
  EXPECT_EQ(finding.step, 3);
  EXPECT_EQ(finding.last_step, 4);
}

TEST_F(GradientsNotClearedTest, AccumulationIsOnPurpose) {
  for (Step step = 0; step < 80; ++step) {
    LogNumbers numbers = {{"backwards_since_step", static_cast<double>(step % 8 + 1)}};
    if (step % 8 == 7) numbers["steps_without_clearing"] = 0;
    Note(step, numbers);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kGradientsNotCleared)));
}

TEST_F(GradientsNotClearedTest, OneStepNowAndThenIsNotAMistake) {
  for (Step step = 0; step < 40; ++step) {
    Note(step, {{"steps_without_clearing", static_cast<double>(step % 2)}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kGradientsNotCleared)));
}

TEST_F(GradientsNotClearedTest, AccumulationWithoutClearingIsOneFinding) {
  for (Step step = 0; step < 80; ++step) {
    LogNumbers numbers = {{"backwards_since_step", static_cast<double>(step % 4 + 1)}};
    if (step % 4 == 3) numbers["steps_without_clearing"] = static_cast<double>(step / 4);
    Note(step, numbers);
  }
  EXPECT_EQ(Only(Evaluate(kGradientsNotCleared)).step, 15);
}

TEST_F(GradientsNotClearedTest, BadInputIsLeftOut) {
  BadSteps({"steps_without_clearing"});
  EXPECT_TRUE(IsSilent(Evaluate("GradientsNotCleared")));
}

TEST_F(GradientsNotClearedTest, NeedsTheTrainingLog) {
  Save(0, kLoss, {1});
  EXPECT_EQ(Evaluate("GradientsNotCleared").status, RuleStatus::kNotEvaluated);
}

}  // namespace
}  // namespace warden::rules
