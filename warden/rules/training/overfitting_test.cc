#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kOverfitting[] = "Overfitting:rise=1.3;rounds=3";

class OverfittingTest : public TrainingTest {
 protected:
  void Trains(double loss, const LogNumbers& numbers = {}, const std::string& facts = "") {
    for (int i = 0; i < 10; ++i) Train(next_++, loss, numbers, facts);
  }
  void Evaluates(double loss) {
    for (int i = 0; i < 2; ++i) {
      Save(next_++, kLoss, {static_cast<float>(loss)}, Mode::kEval);
    }
  }
  // Epochs of 12 steps, each with the next of these validation losses. The training loss falls from
  // `train` to less than half at each.
  void Epochs(double train, const std::vector<double>& validation, const LogNumbers& numbers = {}) {
    for (const double loss : validation) {
      Trains(train, numbers);
      Evaluates(loss);
      train *= 0.4;
    }
  }
  Step next_ = 0;
};

TEST_F(OverfittingTest, FiresWhenTheValidationLossRisesAndTheTrainingLossFalls) {
  Epochs(1, {1, 0.7, 0.5, 0.45, 0.9, 1.2, 1.5, 1.8, 2.1});
  const RuleReport report = Evaluate(kOverfitting);
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings[0];
  EXPECT_GE(finding.step, 72);
  EXPECT_LT(finding.step, 108);
  EXPECT_TRUE(Says(finding.message,
                   {"overfits", "validation loss has risen from 0.45", "training loss fell"}));
  EXPECT_TRUE(Says(finding.advice, {"best checkpoint"}));
}

TEST_F(OverfittingTest, FiresWhenTheTrainingDataIsMemorized) {
  Epochs(1, std::vector<double>(12, 1.05));
  const RuleReport report = Evaluate(kOverfitting);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_GE(report.findings[0].step, 36);
  EXPECT_TRUE(Says(report.findings[0].message, {"memorizes the training data", "1.05"}));
}

TEST_F(OverfittingTest, EvaluationDoesNotRepeatTheFinding) {
  Epochs(1, {1, 0.7, 0.5, 0.45, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4});
  EXPECT_GE(Only(Evaluate(kOverfitting)).step, 72);
}

TEST_F(OverfittingTest, AValidationLossThatWobblesIsFine) {
  std::vector<double> validation = {1, 0.7, 0.5};
  for (int i = 0; i < 15; ++i) validation.push_back(0.5 + 0.04 * (i % 3 - 1));
  Epochs(1, validation);
  EXPECT_EQ(Evaluate(kOverfitting).status, RuleStatus::kNoIssuesFound);
}

TEST_F(OverfittingTest, OneBadEvaluationIsFine) {
  Epochs(1, {1, 0.7, 0.5, 0.45, 2, 0.5, 0.45, 2, 0.5, 0.45, 2, 0.5});
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, WhatRisesInBothIsSomethingElse) {
  double loss = 1;
  for (int epoch = 0; epoch < 10; ++epoch) {
    Trains(loss);
    Evaluates(loss);
    loss *= epoch < 3 ? 0.5 : 1.8;
  }
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, FarAboveTheStartIsSomethingElse) {
  Epochs(1, {1, 0.7, 100, 200, 300, 400, 500, 600});
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, AnEvaluationBeforeTrainingIsFine) {
  Evaluates(1.1);
  Epochs(1, {1, 0.7, 0.5, 0.45, 0.44, 0.43, 0.43, 0.43});
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, ANewOptimizerStartsOver) {
  Epochs(1, {0.5, 0.2, 0.1}, {{"optimizers_created", 1}});
  Epochs(1, {0.6, 0.5, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4}, {{"optimizers_created", 2}});
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, LossesBelowZeroMayFallTogether) {
  for (int epoch = 0; epoch < 12; ++epoch) {
    Trains(3 - epoch);
    Evaluates(3.1 - epoch);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, WithoutEvaluationThereIsNothingToCompare) {
  for (int epoch = 0; epoch < 5; ++epoch) Trains(1. / (epoch + 1));
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, BadInputIsLeftOut) {
  for (size_t epoch = 0; epoch < 20; ++epoch) {
    Trains(std::pow(0.5, epoch), {{"optimizers_created", NAN}},
           BadFacts()[epoch % BadFacts().size()]);
    Evaluates(epoch < 3 ? 0.5 : epoch % 2 == 0 ? NAN : INFINITY);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kOverfitting)));
}

TEST_F(OverfittingTest, LossesWithoutGradientsAreThoseOfEvaluation) {
  double train = 1;
  for (const double loss : {1.0, 0.7, 0.5, 0.45, 0.9, 1.2, 1.5, 1.8, 2.1}) {
    Trains(train);
    Train(next_++, train, {{std::string("evaluation_loss/") + kLoss, loss}});
    train *= 0.4;
  }
  const RuleReport report = Evaluate(kOverfitting);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_TRUE(Says(report.findings[0].message, {"overfits", "risen from 0.45"}));
}

}  // namespace
}  // namespace warden::rules
