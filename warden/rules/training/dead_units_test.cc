#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kDeadUnits[] = "DeadUnits:share=0.85;looks=3";
constexpr char kSaturatedUnits[] = "SaturatedUnits:share=0.85;looks=3";

class DeadUnitsTest : public TrainingTest {
 protected:
  // A look every 20 steps at the inputs of two layers, of which the second is healthy.
  void Steps(Step first, Step end, const std::string& group, double share, double (*loss)(Step)) {
    for (Step step = first; step < end; ++step) {
      LogNumbers numbers = {{"optimizers_created", optimizers_}};
      if (step % 20 == 0) {
        numbers[group + "/Net_fc2"] = share;
        numbers[group + "/Net_fc3"] = 0.2;
      }
      Train(step, loss(step), numbers);
    }
  }
  double optimizers_ = 1;
};
using SaturatedUnitsTest = DeadUnitsTest;

TEST_F(DeadUnitsTest, FiresWhenMostUnitsAreZeroAndTheLossIsFlat) {
  Steps(0, 120, "dead_inputs", 0.95, FlatLoss);
  const Finding finding = Only(Evaluate(kDeadUnits));
  EXPECT_GE(finding.step, 40);
  EXPECT_LT(finding.step, 100);
  EXPECT_EQ(finding.last_step, 119);
  EXPECT_EQ(finding.tensor, "Net_fc2");
  EXPECT_TRUE(Says(finding.message, {"95 %", "always zero", "dead"}));
}

TEST_F(DeadUnitsTest, ALayerThatIsDeadAsAWholeIsAProblemInAnyCase) {
  Steps(0, 120, "dead_inputs", 1, FallingLoss);
  const Finding finding = Only(Evaluate(kDeadUnits));
  EXPECT_GE(finding.step, 40);
  EXPECT_EQ(finding.tensor, "Net_fc2");
  EXPECT_TRUE(Says(finding.message, {"100 %"}));
}

TEST_F(DeadUnitsTest, NamesTheLearningRateThatKilledTheUnits) {
  for (Step step = 0; step < 160; ++step) {
    LogNumbers numbers = {{"learning_rate", 10}, {"update_ratio", step < 3 ? 8 : 0.001}};
    if (step % 20 == 0) numbers["dead_inputs/Net_fc2"] = step == 0 ? 0.1 : 0.95;
    Train(step, FlatLoss(step), numbers);
  }
  const Finding finding = Only(Evaluate(kDeadUnits));
  EXPECT_GE(finding.step, 60);
  EXPECT_TRUE(Says(finding.message, {"95 %", "learning rate 10 is too high"}));
}

TEST_F(DeadUnitsTest, SparseUnitsAreFineWhileTheLossFalls) {
  Steps(0, 200, "dead_inputs", 0.95, FallingLoss);
  EXPECT_EQ(Evaluate(kDeadUnits).status, RuleStatus::kNoIssuesFound);
}

TEST_F(DeadUnitsTest, HalfOfTheUnitsMayBeZero) {
  Steps(0, 200, "dead_inputs", 0.5, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kDeadUnits)));
}

TEST_F(DeadUnitsTest, UnitsThatComeBackAreFine) {
  Steps(0, 30, "dead_inputs", 1, FlatLoss);
  Steps(30, 200, "dead_inputs", 0.4, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kDeadUnits)));
}

TEST_F(DeadUnitsTest, ANewOptimizerStartsOver) {
  Steps(0, 45, "dead_inputs", 0.95, FlatLoss);
  optimizers_ = 2;
  Steps(45, 200, "dead_inputs", 0.3, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kDeadUnits)));
}

TEST_F(DeadUnitsTest, BadInputIsLeftOut) {
  BadSteps({"dead_inputs/Net_fc2", "saturated_inputs/Net_fc2"}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate("DeadUnits:looks=1")));
  EXPECT_TRUE(IsSilent(Evaluate("SaturatedUnits:looks=1")));
}

TEST_F(SaturatedUnitsTest, FiresWhenMostUnitsAreAtTheEndsAndTheLossIsFlat) {
  Steps(0, 120, "saturated_inputs", 0.97, FlatLoss);
  const Finding finding = Only(Evaluate(kSaturatedUnits));
  EXPECT_GE(finding.step, 40);
  EXPECT_LT(finding.step, 100);
  EXPECT_EQ(finding.tensor, "Net_fc2");
  EXPECT_TRUE(Says(finding.message, {"97 %", "saturated"}));
  EXPECT_TRUE(IsSilent(Evaluate(kDeadUnits)));
}

TEST_F(SaturatedUnitsTest, ATrainingThatLearnsMaySaturate) {
  Steps(0, 200, "saturated_inputs", 0.93, FallingLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kSaturatedUnits)));
}

TEST_F(SaturatedUnitsTest, DeadUnitsAreNotSaturated) {
  Steps(0, 200, "dead_inputs", 1, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kSaturatedUnits)));
}

TEST_F(DeadUnitsTest, ALayerThatStaysDeadForTheFirstUpdatesIsReportedAtOnce) {
  for (Step step = 0; step < 30; ++step) {
    Train(step, FallingLoss(step),
          {{"dead_inputs/Net_fc2", 1}, {"optimizer_step", static_cast<double>(step + 1)}});
  }
  EXPECT_EQ(Only(Evaluate(kDeadUnits)).step, 5);
}

TEST_F(DeadUnitsTest, WhatStartsWithZerosMayNeedSomeUpdates) {
  // Gradients of four forward passes are accumulated for each update.
  for (Step step = 0; step < 60; ++step) {
    LogNumbers numbers = {{"optimizer_step", static_cast<double>(step / 4)}};
    if (step < 8 || step % 20 == 0) numbers["dead_inputs/Net_fc2"] = step < 8 ? 1 : 0.1;
    Train(step, FallingLoss(step), numbers);
  }
  EXPECT_TRUE(IsSilent(Evaluate(kDeadUnits)));
}

}  // namespace
}  // namespace warden::rules
