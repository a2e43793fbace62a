#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kNotLearning[] = "NotLearning:steps=80;share=0.15";

class NotLearningTest : public TrainingTest {
 protected:
  // Steps with the same numbers, and facts at the first.
  void Steps(Step count, double (*loss)(Step), const LogNumbers& numbers,
             const std::string& facts = "") {
    for (Step step = 0; step < count; ++step) {
      Train(step, loss(step), numbers, step == 0 ? facts : "");
    }
  }
};

TEST_F(NotLearningTest, UpdatesAreTooSmall) {
  Steps(100, FlatLoss, {{"update_ratio", 1e-8}, {"learning_rate", 1e-9}});
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 79);
  EXPECT_EQ(finding.last_step, 99);
  EXPECT_TRUE(Says(finding.message, {"hardly fallen in 80 steps", "only 1e-08", "too low"}));
  EXPECT_TRUE(Says(finding.advice, {"Raise the learning rate"}));
}

TEST_F(NotLearningTest, UpdatesAreTooLarge) {
  Steps(100, FlatLoss, {{"update_ratio", 5}, {"learning_rate", 10}});
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 79);
  EXPECT_TRUE(Says(finding.message, {"learning rate 10 is too high"}));
  EXPECT_TRUE(Says(finding.advice, {"Lower the learning rate"}));
}

TEST_F(NotLearningTest, ClippingLeavesNothing) {
  Steps(100, FlatLoss,
        {{"gradient_norm_before_clipping", 20}, {"clip_limit", 1e-4}, {"update_ratio", 1e-8}});
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 79);
  EXPECT_TRUE(Says(finding.message, {"clipping", "times smaller", "limit 0.0001"}));
  EXPECT_TRUE(Says(finding.advice, {"max_norm"}));
}

TEST_F(NotLearningTest, WeightDecayIsTooHigh) {
  Steps(100, FlatLoss, {{"update_ratio", 0.001}},
        R"({"optimizers": [{"class": "SGD", "weight_decay": 0.0001},
                           {"class": "AdamW", "weight_decay": 5}]})");
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 79);
  EXPECT_TRUE(Says(finding.message, {"weight decay 5"}));
  EXPECT_TRUE(Says(finding.advice, {"Lower weight_decay"}));
}

TEST_F(NotLearningTest, WeightDecayEatsTheWeightsWhateverTheLossDoes) {
  Steps(100, FallingLoss, {{"update_ratio", 0.04}, {"learning_rate", 0.002}},
        R"({"optimizers": [{"class": "AdamW", "weight_decay": 20}]})");
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_TRUE(Says(finding.message, {"weight decay 20 takes 4 % of every weight at each step"}));
}

TEST_F(NotLearningTest, TheScheduleEndsTooEarly) {
  for (Step step = 0; step < 300; ++step) {
    const bool ended = step >= 60;
    Train(step, ended ? 1.5 : 2.5 - 0.01 * static_cast<double>(step),
          {{"learning_rate", ended ? 0 : 0.1}, {"update_ratio", ended ? 0 : 0.001}});
  }
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_GT(finding.step, 70);
  EXPECT_LT(finding.step, 150);
  EXPECT_EQ(finding.last_step, 299);
  EXPECT_TRUE(Says(finding.message, {"learning rate has fallen from 0.1 to 0", "scheduler"}));
  EXPECT_TRUE(Says(finding.advice, {"scheduler"}));
}

TEST_F(NotLearningTest, TheLossExplodedInTheFirstSteps) {
  for (Step step = 0; step < 100; ++step) {
    Train(step, step > 0 && step < 4 ? 1e4 : FlatLoss(step), {{"update_ratio", 0.001}});
  }
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 79);
  EXPECT_TRUE(Says(finding.message, {"exploded in the first steps", "too high"}));
}

TEST_F(NotLearningTest, TheLossGetsValuesBetween0And1) {
  for (Step step = 0; step < 200; ++step) {
    LogNumbers numbers = {{"update_ratio", 0.001}};
    if (step % 20 == 0) numbers["loss_input_in_unit_interval"] = 1;
    Train(step, FlatLoss(step), numbers, step == 0 ? R"({"loss_line": "train.py:10"})" : "");
  }
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_GE(finding.step, 79);
  EXPECT_LT(finding.step, 160);
  EXPECT_TRUE(Says(finding.message, {"between 0 and 1", "logits", "(train.py:10)"}));
}

TEST_F(NotLearningTest, PredictionsAreNoBetterThanGuessing) {
  Steps(400, FlatLoss, {{"accuracy", 0.1}, {"label_share", 0.12}, {"update_ratio", 0.001}});
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_GE(finding.step, 100);
  EXPECT_LT(finding.step, 300);
  EXPECT_TRUE(Says(finding.message, {"no better than guessing", "accuracy 0.1", "labels"}));
}

TEST_F(NotLearningTest, ALossThatFallsSlowlyButSteadilyIsFine) {
  // Of a large vocabulary at a low learning rate: hardly any prediction is right yet.
  Steps(500, [](Step step) { return 7 - 0.0026 * static_cast<double>(step); },
        {{"accuracy", 0}, {"label_share", 0.001}, {"classes", 1000}, {"update_ratio", 0.001}});
  EXPECT_EQ(Evaluate(kNotLearning).status, RuleStatus::kNoIssuesFound);
}

TEST_F(NotLearningTest, ALossThatFallsIsFine) {
  Steps(200, FallingLoss,
        {{"update_ratio", 1e-8},
         {"learning_rate", 1e-9},
         {"gradient_norm_before_clipping", 20},
         {"clip_limit", 1e-4},
         {"accuracy", 0.1},
         {"label_share", 0.12}},
        R"({"optimizers": [{"weight_decay": 5}]})");
  EXPECT_EQ(Evaluate(kNotLearning).status, RuleStatus::kNoIssuesFound);
}

TEST_F(NotLearningTest, AFlatLossAloneExplainsNothing) {
  Steps(400, FlatLoss,
        {{"update_ratio", 0.001},
         {"learning_rate", 0.01},
         {"gradient_norm_before_clipping", 2},
         {"clip_limit", 1},
         {"accuracy", 0.8},
         {"label_share", 0.12}},
        R"({"optimizers": [{"weight_decay": 0.01}]})");
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, ACosineScheduleEndsAtZero) {
  for (Step step = 0; step <= 400; ++step) {
    const double rate = 0.05 * (1 + std::cos(M_PI * static_cast<double>(step) / 400));
    Train(step, 1 + 0.5 * FallingLoss(step),
          {{"learning_rate", step == 400 ? 0 : rate}, {"update_ratio", 0.01 * rate}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, AWarmUpStartsWithSmallUpdates) {
  for (Step step = 0; step < 300; ++step) {
    const double share = std::min(1., static_cast<double>(step) / 40);
    Train(step, step < 20 ? FlatLoss(step) : FallingLoss(step - 20),
          {{"learning_rate", 0.01 * share}, {"update_ratio", 1e-3 * share}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, ANewOptimizerStartsOver) {
  for (Step step = 0; step < 200; ++step) {
    const bool second = step >= 70;
    Train(step, second ? FallingLoss(step - 70) : FlatLoss(step),
          {{"optimizers_created", second ? 2. : 1.}, {"update_ratio", 1e-8}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, ANewLearningRateIsNotTheEndOfASchedule) {
  for (Step step = 0; step < 300; ++step) {
    const bool second = step >= 100;
    Train(step, 1 + 0.5 * FallingLoss(second ? step - 100 : step),
          {{"optimizers_created", second ? 2. : 1.},
           {"learning_rate", second ? 1e-5 : 1.},
           {"update_ratio", 0.001}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, TooFewLosses) {
  Steps(50, FlatLoss, {{"update_ratio", 1e-8}});
  const RuleReport report = Evaluate(kNotLearning);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 80 training losses, found 50");
}

TEST_F(NotLearningTest, BadInputIsLeftOut) {
  BadSteps({"update_ratio", "learning_rate", "gradient_norm_before_clipping", "clip_limit",
            "accuracy", "label_share", "loss_input_in_unit_interval", "optimizers_created"},
           FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, LossesThatAreNotFiniteAreLeftToOthers) {
  Steps(200, [](Step) -> double { return NAN; }, {{"update_ratio", 1e-8}});
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, AClipLimitOfZeroIsLeftOut) {
  Steps(200, FlatLoss,
        {{"gradient_norm_before_clipping", 20}, {"clip_limit", 0}, {"update_ratio", 0.001}});
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, TreesThatGoAShortWayNeedFewRounds) {
  Steps(60, FlatLoss, {{"learning_rate", 1e-4}},
        R"({"framework": "xgboost", "rounds": 100, "booster": "gbtree"})");
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 9);
  EXPECT_TRUE(Says(finding.message, {"(eta) 0.0001 is too low", "100 rounds"}));
  EXPECT_TRUE(Says(finding.advice, {"Raise eta"}));
}

TEST_F(NotLearningTest, ManyRoundsMakeUpForSmallSteps) {
  Steps(60, FlatLoss, {{"learning_rate", 1e-3}},
        R"({"framework": "xgboost", "rounds": 5000, "booster": "gbtree"})");
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, OfKerasLessIsKnownSoThatAFlatLossAloneIsReported) {
  Steps(200, FlatLoss, {{"update_ratio", 0.01}, {"learning_rate", 1e-3}},
        R"({"framework": "keras"})");
  const Finding finding = Only(Evaluate(kNotLearning));
  EXPECT_EQ(finding.step, 159);
  EXPECT_TRUE(Says(finding.message, {"may be too low", "shuffled"}));
}

TEST_F(NotLearningTest, LabelsAreNotToBlameIfTheLossIsHigherThanAtTheStart) {
  for (Step step = 0; step < 300; ++step) {
    Train(step, step < 20 ? 2.3 : 4 + 0.1 * static_cast<double>(step % 7),
          {{"accuracy", 0.1}, {"label_share", 0.12}, {"update_ratio", 0.01}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kNotLearning)));
}

TEST_F(NotLearningTest, ManyClassesNeedMoreSteps) {
  Steps(400, FlatLoss,
        {{"accuracy", 0.1}, {"label_share", 0.12}, {"classes", 21}, {"update_ratio", 0.01}});
  EXPECT_EQ(Only(Evaluate(kNotLearning)).step, 319);
}

}  // namespace
}  // namespace warden::rules
