#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kCollapsedPredictions[] = "CollapsedPredictions:looks=3";

class CollapsedPredictionsTest : public TrainingTest {
 protected:
  // A look every 20 steps.
  void Steps(Step first, Step end, double predicted, double labels, double (*loss)(Step)) {
    for (Step step = first; step < end; ++step) {
      LogNumbers numbers = {{"optimizers_created", optimizers_}};
      if (step % 20 == 0) {
        numbers["predicted_share"] = predicted;
        numbers["label_share"] = labels;
      }
      Train(step, loss(step), numbers);
    }
  }
  double optimizers_ = 1;
};

TEST_F(CollapsedPredictionsTest, FiresWhenAllSamplesGetOneClassAndTheLossStands) {
  Steps(0, 200, 1, 0.3, FlatLoss);
  const Finding finding = Only(Evaluate(kCollapsedPredictions));
  EXPECT_GE(finding.step, 40);
  EXPECT_LT(finding.step, 160);
  EXPECT_EQ(finding.last_step, 199);
  EXPECT_TRUE(Says(finding.message, {"predicted as the same class", "ignores its inputs"}));
}

TEST_F(CollapsedPredictionsTest, NamesAnImbalanceOfTheClasses) {
  Steps(0, 200, 1, 0.8, FlatLoss);
  const Finding finding = Only(Evaluate(kCollapsedPredictions));
  EXPECT_TRUE(Says(finding.message, {"imbalanced", "80 %"}));
  EXPECT_TRUE(Says(finding.advice, {"Weight the classes"}));
}

TEST_F(CollapsedPredictionsTest, PredictionsThatDifferAreFine) {
  Steps(0, 200, 0.6, 0.3, FlatLoss);
  EXPECT_EQ(Evaluate(kCollapsedPredictions).status, RuleStatus::kNoIssuesFound);
}

TEST_F(CollapsedPredictionsTest, ALossThatFallsWillTellThemApart) {
  Steps(0, 200, 1, 0.3, FallingLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kCollapsedPredictions)));
}

TEST_F(CollapsedPredictionsTest, ASlowStartIsFine) {
  Steps(0, 30, 1, 0.3, FlatLoss);
  Steps(30, 200, 0.4, 0.3, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kCollapsedPredictions)));
}

TEST_F(CollapsedPredictionsTest, LabelsOfOneClassCannotBePredictedOtherwise) {
  Steps(0, 200, 1, 1, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kCollapsedPredictions)));
}

TEST_F(CollapsedPredictionsTest, ANewOptimizerStartsOver) {
  Steps(0, 50, 1, 0.3, FlatLoss);
  optimizers_ = 2;
  Steps(50, 100, 1, 0.3, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kCollapsedPredictions)));
}

TEST_F(CollapsedPredictionsTest, BadInputIsLeftOut) {
  BadSteps({"predicted_share", "label_share", "optimizers_created"}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate("CollapsedPredictions:looks=1")));
}

TEST_F(CollapsedPredictionsTest, FiresWhenValuesHaveNothingToDoWithTheirTargets) {
  for (Step step = 0; step < 200; ++step) {
    LogNumbers numbers;
    if (step % 20 == 0) numbers["prediction_correlation"] = -0.01;
    Train(step, FlatLoss(step), numbers);
  }
  const Finding finding = Only(Evaluate(kCollapsedPredictions));
  EXPECT_GE(finding.step, 40);
  EXPECT_TRUE(Says(finding.message, {"predictions have collapsed", "correlation -0.01"}));
  EXPECT_TRUE(Says(finding.advice, {"KL", "reduction='mean'"}));
}

TEST_F(CollapsedPredictionsTest, AtFirstValuesHaveLittleToDoWithTheirTargets) {
  for (Step step = 0; step < 200; ++step) {
    LogNumbers numbers;
    if (step % 20 == 0) numbers["prediction_correlation"] = 0.01;
    Train(step, FallingLoss(step), numbers);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kCollapsedPredictions)));
}

TEST_F(CollapsedPredictionsTest, ALossThatStandsWithGoodPredictionsHasReachedItsLimit) {
  for (Step step = 0; step < 200; ++step) {
    LogNumbers numbers;
    if (step % 20 == 0) numbers["prediction_correlation"] = 0.4;
    Train(step, FlatLoss(step), numbers);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kCollapsedPredictions)));
}

}  // namespace
}  // namespace warden::rules
