#include <random>

#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

class DivergenceTest : public TrainingTest {
 protected:
  // A loss that rises by 30 % at each step.
  static double RisingLoss(Step step) { return std::pow(1.3, static_cast<double>(step)); }
  void Explodes(const LogNumbers& numbers, const std::string& facts = "") {
    for (Step step = 0; step < 60; ++step) {
      Train(step, RisingLoss(step), numbers, step == 0 ? facts : "");
    }
  }
  // The only finding, which must come while the loss explodes.
  Finding Exploded() {
    const Finding finding = Only(Evaluate("Divergence"));
    EXPECT_GT(finding.step, 5);
    EXPECT_LT(finding.step, 55);
    EXPECT_EQ(finding.last_step, 59);
    EXPECT_TRUE(Says(finding.message, {"training diverges", "times its start"}));
    return finding;
  }
  // 20 steps with a loss that is finite, and one with a loss that is not.
  void Breaks(const LogNumbers& numbers, const Tensors& before, const LogNumbers& last,
              const Tensors& at, const std::string& facts = "") {
    for (Step step = 0; step < 20; ++step) {
      Train(step, FlatLoss(step), numbers, step == 0 ? facts : "", before);
    }
    Train(20, NAN, last, "", at);
    Train(21, NAN);
  }
  // The only finding, which must be of the step where the loss broke.
  Finding Broken() {
    const Finding finding = Only(Evaluate("Divergence"));
    EXPECT_EQ(finding.step, 20);
    EXPECT_TRUE(Says(finding.message, {"the loss is NaN or infinite"}));
    return finding;
  }
};

TEST_F(DivergenceTest, BadInputsOfTheModelBreakTheLoss) {
  Breaks({{"input_largest", 3}}, {}, {{"input_not_finite", 7}}, {},
         R"({"loss_line": "train.py:10"})");
  const Finding finding = Broken();
  EXPECT_TRUE(Says(finding.message, {"inputs of the model", "7 of this batch", "(train.py:10)"}));
  EXPECT_TRUE(Says(finding.advice, {"samples"}));
}

TEST_F(DivergenceTest, WeightsThatAreNotFiniteBreakTheLoss) {
  Breaks({}, {{"Net_fc.weight", FloatTensor({2}, {1, 2})}}, {},
         {{"Net_fc.weight", FloatTensor({2}, {1, NAN})}});
  EXPECT_TRUE(Says(Broken().message, {"weights are not finite", "first: fc.weight"}));
}

TEST_F(DivergenceTest, WithFiniteInputsAndWeightsTheLossItselfIsToBlame) {
  Breaks({{"input_largest", 3}}, {{"Net_fc.weight", FloatTensor({2}, {1, 2})}},
         {{"input_largest", 3}}, {{"Net_fc.weight", FloatTensor({2}, {1, 2})}});
  const Finding finding = Broken();
  EXPECT_TRUE(Says(finding.message, {"finite inputs and weights", "log(0)"}));
  EXPECT_TRUE(Says(finding.advice, {"epsilon"}));
}

TEST_F(DivergenceTest, GradientsThatExplodeBreakTheLoss) {
  for (Step step = 0; step < 20; ++step) {
    Train(step, FlatLoss(step), {}, "",
          {{"gradient/Net_fc.weight", FloatTensor({1}, {step == 19 ? 1e6F : 1.F})}});
  }
  Train(20, INFINITY);
  const Finding finding = Broken();
  EXPECT_TRUE(Says(finding.message, {"gradients explode"}));
  EXPECT_TRUE(Says(finding.advice, {"clip_grad_norm_"}));
}

TEST_F(DivergenceTest, GradientsThatAScalerLeavesOutDoNotExplode) {
  for (Step step = 0; step < 20; ++step) {
    const bool skips = step == 19;
    Train(step, FlatLoss(step), {{"loss_scale", 1024}, {"scaler_skipped", skips ? 1 : 0}}, "",
          {{"gradient/Net_fc.weight", FloatTensor({2}, {skips ? 1e9F : 1024.F, 1})},
           {"gradient/Net_fc.bias", FloatTensor({1}, {skips ? INFINITY : 1024.F})}});
  }
  Train(20, INFINITY);
  EXPECT_TRUE(Says(Broken().message, {"log(0)"}));
}

TEST_F(DivergenceTest, GradientsAreComparedWithoutTheirScale) {
  for (Step step = 0; step < 20; ++step) {
    const double scale = step < 15 ? 4 : 65536;
    Train(step, FlatLoss(step), {{"loss_scale", scale}, {"scaler_skipped", 0}}, "",
          {{"gradient/Net_fc.weight", FloatTensor({1}, {static_cast<float>(scale)})}});
  }
  Train(20, INFINITY);
  EXPECT_TRUE(Says(Broken().message, {"log(0)"}));
}

TEST_F(DivergenceTest, ALossMayBreakAtTheFirstStep) {
  Train(0, NAN, {{"update_ratio", 2}, {"learning_rate", 1}});
  Train(1, NAN, {{"update_ratio", 2}, {"learning_rate", 1}});
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_EQ(finding.step, 0);
  EXPECT_TRUE(Says(finding.message, {"the loss is NaN or infinite"}));
}

TEST_F(DivergenceTest, ALossThatIsExtremelyLarge) {
  for (Step step = 0; step < 60; ++step) Train(step, 1e12 * FlatLoss(step));
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_LT(finding.step, 40);
  EXPECT_TRUE(Says(finding.message, {"extremely large", "not normalized"}));
}

TEST_F(DivergenceTest, ALossThatFallsWithoutBound) {
  for (Step step = 0; step < 60; ++step) {
    Train(step, step < 10 ? 1 : -1e4 * static_cast<double>(step));
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_GT(finding.step, 5);
  EXPECT_LT(finding.step, 50);
  EXPECT_TRUE(Says(finding.message, {"falls without bound", "sign"}));
}

TEST_F(DivergenceTest, ALossMayBeBelowZero) {
  for (Step step = 0; step < 200; ++step) Train(step, 3 * FallingLoss(step) - 5);
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, TheLearningRateIsTooHigh) {
  Explodes({{"update_ratio", 0.5}, {"learning_rate", 10}});
  const Finding finding = Exploded();
  EXPECT_TRUE(Says(finding.message, {"learning rate 10 is too high", "0.5"}));
  EXPECT_EQ(finding.confidence, std::nullopt);
  EXPECT_TRUE(Says(finding.advice, {"Lower the learning rate"}));
}

TEST_F(DivergenceTest, TheFirstUpdateWasTooLarge) {
  for (Step step = 0; step < 60; ++step) {
    Train(step, RisingLoss(step), {{"update_ratio", step == 0 ? 50 : 0.001}, {"learning_rate", 9}});
  }
  const Finding finding = Exploded();
  EXPECT_TRUE(Says(finding.message, {"learning rate 9 is too high"}));
  EXPECT_FALSE(Says(finding.message, {"by 0.001 of their size"}));
}

TEST_F(DivergenceTest, TheLossIsSummedOverTheBatch) {
  Explodes({{"update_ratio", 0.5}, {"learning_rate", 0.1}}, R"({"loss_reduction": "sum"})");
  const Finding finding = Exploded();
  EXPECT_TRUE(Says(finding.message, {"reduction='sum'"}));
  EXPECT_TRUE(Says(finding.advice, {"reduction='mean'"}));
}

TEST_F(DivergenceTest, TheSignOfTheLossIsWrong) {
  Explodes({{"backward_value", -3}, {"learning_rate", 0.1}},
           R"({"loss_function": "cross_entropy", "backward_line": "train.py:12"})");
  const Finding finding = Exploded();
  EXPECT_TRUE(Says(finding.message, {"sign of the loss is wrong", "-3", "(train.py:12)"}));
  EXPECT_TRUE(Says(finding.advice, {"sign"}));
}

TEST_F(DivergenceTest, WithoutACauseItSaysSo) {
  Explodes({{"update_ratio", 0.001}, {"learning_rate", 0.1}, {"backward_value", 3}});
  const Finding finding = Exploded();
  EXPECT_TRUE(Says(finding.message, {"no single cause"}));
  EXPECT_EQ(finding.confidence, Confidence::kLow);
}

TEST_F(DivergenceTest, TheLearningRateRose) {
  for (Step step = 0; step < 100; ++step) {
    Train(step, step < 50 ? FlatLoss(step) : 1000, {{"learning_rate", step < 50 ? 0.001 : 1.}});
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_GT(finding.step, 50);
  EXPECT_LT(finding.step, 80);
  EXPECT_TRUE(Says(finding.message, {"learning rate rose from 0.001 to 1"}));
}

TEST_F(DivergenceTest, ABatchWithHugeInputs) {
  for (Step step = 0; step < 80; ++step) {
    Train(step, step <= 30 ? FlatLoss(step) : 1000, {{"input_largest", step == 30 ? 1e6 : 3.}});
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_GT(finding.step, 30);
  EXPECT_LT(finding.step, 60);
  EXPECT_TRUE(Says(finding.message, {"a batch at step 30", "corrupt"}));
}

TEST_F(DivergenceTest, OneBatchThatIsOutOfRangeAndHurts) {
  for (Step step = 0; step < 60; ++step) {
    const bool glitch = step == 40;
    Train(step, glitch ? 900 : 0.5, {{"input_largest", glitch ? 3e4 : 3}});
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_EQ(finding.step, 40);
  EXPECT_TRUE(
      Says(finding.message, {"jumps from 0.5 to 900", "a batch at step 40", "1e+04 times"}));
}

TEST_F(DivergenceTest, OneBatchThatIsOutOfRangeAndDoesNoHarm) {
  for (Step step = 0; step < 60; ++step) {
    const bool glitch = step == 40;
    Train(step, glitch ? 5 : 0.5, {{"input_largest", glitch ? 3e4 : 3}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, NamesTheLossThatRises) {
  for (Step step = 0; step < 40; ++step) {
    Train(step, RisingLoss(step), {}, "",
          {{"AuxLoss_output_0", FloatTensor({1}, {step < 8 ? 0.F : 0.001F})}});
  }
  EXPECT_FALSE(Says(Only(Evaluate("Divergence")).message, {"inf times"}));
}

TEST_F(DivergenceTest, OrdinaryLossesDoNotDiverge) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 1);
  for (Step step = 0; step < 600; ++step) {
    const auto t = static_cast<double>(step);
    const double decay = 0.05 + 3 * std::exp(-t / 100);
    const auto loss = [](double value) { return FloatTensor({1}, {static_cast<float>(value)}); };
    Train(step, FlatLoss(step), {{"update_ratio", 0.5}, {"learning_rate", 0.1}}, "",
          {{"a_loss_output", loss(decay)},
           {"b_loss_output", loss(decay * std::exp(0.4 * normal(random)))},
           {"c_loss_output", loss(2 + 0.5 * normal(random))},
           {"d_loss_output", loss(2 + std::sin(t / 20))},
           {"e_loss_output", loss(-decay + 0.2 * normal(random))}});
  }
  EXPECT_EQ(Evaluate("Divergence").status, RuleStatus::kNoIssuesFound);
}

TEST_F(DivergenceTest, AnEasyFirstBatchIsNotTheStart) {
  for (Step step = 0; step < 100; ++step) {
    Train(step, step == 0 ? 0.1 : FlatLoss(step), {},
          step == 0 ? R"({"loss_function": "cross_entropy"})" : "");
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, SpikesAreNotADivergence) {
  for (Step step = 0; step < 300; ++step) {
    Train(step, step % 50 > 46 ? 100 : FlatLoss(step), {{"update_ratio", 0.5}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, ASlowStartMayRiseALittle) {
  for (Step step = 0; step < 200; ++step) {
    const double rate = step < 50 ? 0.001 * static_cast<double>(step + 1) : 0.05;
    Train(step, step < 30 ? 2 + 0.05 * static_cast<double>(step) : FallingLoss(step),
          {{"learning_rate", rate}, {"update_ratio", 0.2}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, ANewOptimizerStartsOver) {
  for (Step step = 0; step < 160; ++step) {
    const bool second = step >= 80;
    Train(step, second ? 50 * FallingLoss(step - 80) : FallingLoss(step),
          {{"optimizers_created", second ? 2. : 1.}, {"update_ratio", 0.5}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, OnlyTrainingIsEvaluated) {
  for (Step step = 0; step < 100; ++step) {
    if (step % 10 < 8) {
      Train(step, FallingLoss(step));
    } else {
      Save(step, kLoss, {step % 10 == 8 ? NAN : 1e9F}, Mode::kEval);
    }
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, BadInputIsLeftOut) {
  BadSteps({"update_ratio", "input_largest", "learning_rate", "backward_value", "input_not_finite",
            "optimizers_created"});
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, BadFactsDoNotHideABrokenLoss) {
  for (Step step = 0; step < 20; ++step) {
    const auto& facts = BadFacts();
    Train(step, FlatLoss(step), {{"backward_value", NAN}},
          facts[static_cast<size_t>(step) % facts.size()]);
  }
  Train(20, NAN);
  Broken();
}

TEST_F(DivergenceTest, FirstUpdatesThatReplaceTheWeightsNeedFewSteps) {
  for (Step step = 0; step < 60; ++step) {
    Train(step, step == 0 ? 2.3 : 40, {{"update_ratio", 2}, {"learning_rate", 3}});
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_LT(finding.step, 10);
  EXPECT_EQ(finding.last_step, 59);
  EXPECT_TRUE(Says(finding.message, {"training diverges", "learning rate 3 is too high"}));
}

TEST_F(DivergenceTest, LargeFirstUpdatesAreFineIfTheLossFalls) {
  for (Step step = 0; step < 60; ++step) {
    Train(step, FallingLoss(step), {{"update_ratio", 2}, {"learning_rate", 3}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, ALossThatRisesWithSmallUpdatesNeedsMoreEvidence) {
  for (Step step = 0; step < 60; ++step) {
    Train(step, step == 0 ? 2.3 : 5, {{"update_ratio", 0.01}, {"learning_rate", 0.001}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, BadValuesOfTheWholeDataSetBreakTheLoss) {
  Breaks({}, {}, {}, {}, R"({"data_not_finite": 12})");
  const Finding finding = Broken();
  EXPECT_TRUE(Says(finding.message, {"the training data contains 12 NaN or infinite values"}));
  EXPECT_EQ(finding.confidence, Confidence::kHigh);
}

TEST_F(DivergenceTest, ALossThatIsWorseThanGuessingHasDiverged) {
  for (Step step = 0; step < 100; ++step) {
    Train(step, step < 5 ? 2.3 : 4.5, {{"classes", 10}, {"learning_rate", step < 5 ? 0.1 : 1.0}});
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_GE(finding.step, 60);
  EXPECT_LT(finding.step, 70);
  EXPECT_TRUE(Says(finding.message, {"training diverges"}));
}

TEST_F(DivergenceTest, ManyTrainingsOvershootAtFirst) {
  for (Step step = 0; step < 200; ++step) {
    Train(step,
          step < 5    ? 2.3
          : step < 55 ? 4.5
                      : FallingLoss(step),
          {{"classes", 10}, {"update_ratio", 0.2}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

TEST_F(DivergenceTest, AnUpdateThatReplacesAWeightAndALossThatJumps) {
  for (Step step = 0; step < 60; ++step) {
    Train(step,
          step == 0   ? 2.3
          : step == 1 ? 1e6
                      : 3.6,
          {{"update_ratio", step == 0 ? 5.3 : 0.1}, {"learning_rate", 0.7}});
  }
  const Finding finding = Only(Evaluate("Divergence"));
  EXPECT_LT(finding.step, 10);
  EXPECT_TRUE(Says(finding.message, {"learning rate 0.7 is too high", "5.3 of their size"}));
}

TEST_F(DivergenceTest, ALossThatBeganBelowAGuessMayRise) {
  for (Step step = 0; step < 60; ++step) {
    Train(step, step < 5 ? 1.2 : 4.5, {{"classes", 10}, {"update_ratio", 0.01}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("Divergence")));
}

}  // namespace
}  // namespace warden::rules
