#include <cmath>

#include "warden/rules/loss_choice.h"
#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class LossNotDecreasingTest : public RuleTest {
 protected:
  void Loss(Step step, float loss, Mode mode = Mode::kTrain, int worker = 0) {
    Save(step, kLoss, {loss}, mode, worker);
  }
  // With a step in its mode that is not the global one.
  void LossAt(Step step, Mode mode, Step mode_step, float loss) {
    trial::StepOptions options;
    options.mode = mode;
    options.mode_step = mode_step;
    builder_.Tensors(step, 0, {{kLoss, FloatTensor({}, {loss})}}, options);
  }
};

TEST_F(LossNotDecreasingTest, FiresExactlyBelowTheLeastFall) {
  Loss(0, 4);
  Loss(10, 3);      // 25 %: exactly what is asked for.
  Loss(20, 2.5f);   // 16.7 %.
  Loss(30, 1.25f);  // 50 %.
  Loss(40, 1.25f);  // 0 %.
  const RuleReport report = Evaluate("LossNotDecreasing:diff_percent=25");
  EXPECT_EQ(FiredAt(report), (std::vector<Step>{20, 40}));
  EXPECT_NEAR(report.findings[0].value, 100.0 / 6, 1e-9);
  EXPECT_EQ(report.findings[0].threshold, 25);
  EXPECT_EQ(report.findings[0].message,
            "CrossEntropyLoss_output_0: loss fell by only 16.7 % from 3 to 2.5 in 10 steps "
            "(expected at least 25 %) at step 20");
  EXPECT_EQ(report.findings[1].value, 0);
  EXPECT_EQ(report.coverage.steps, 4);
  EXPECT_EQ(report.coverage.tensors, 1);
}

TEST_F(LossNotDecreasingTest, ARiseIsAllowedUpToItsThreshold) {
  Loss(0, 4);
  Loss(10, 5);  // Exactly 25 %.
  Loss(20, 6.5f);
  const RuleReport report = Evaluate("LossNotDecreasing:increase_threshold_percent=25");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{20});
  EXPECT_EQ(report.findings[0].value, 30);
  EXPECT_EQ(report.findings[0].message,
            "CrossEntropyLoss_output_0: loss rose by 30 % from 5 to 6.5 in 10 steps (limit 25 %) "
            "at step 20");
}

TEST_F(LossNotDecreasingTest, ChecksAtTheFirstSavedStepThatIsFarEnough) {
  // Saved every 3 steps from 9 on: 21 is checked against 9, 33 against 21.
  const std::map<Step, float> losses = {{9, 1},  {12, 5}, {15, 5}, {18, 5}, {21, 1},
                                        {24, 9}, {27, 9}, {30, 9}, {33, 1}};
  for (const auto& [step, loss] : losses) Loss(step, loss);
  const RuleReport report = Evaluate("LossNotDecreasing");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{21});
  EXPECT_EQ(report.findings[0].last_step, 33);
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.coverage.steps, 2);
  EXPECT_NE(report.findings[0].message.find("from 1 to 1 in 12 steps"), std::string::npos);
}

TEST_F(LossNotDecreasingTest, ComparesWithTheLatestStepThatIsFarEnough) {
  // The check at 25 is against 14, the latest that is at least ten steps back.
  for (const auto& [step, loss] :
       std::map<Step, float>{{0, 8}, {10, 4}, {14, 2}, {16, 1}, {19, 1}, {25, 2}}) {
    Loss(step, loss);
  }
  const RuleReport report = Evaluate("LossNotDecreasing");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{25});
  EXPECT_EQ(report.findings[0].value, 0);
}

TEST_F(LossNotDecreasingTest, ZeroBefore) {
  Loss(0, 0);
  Loss(10, 0);    // d = 0.
  Loss(20, -1);   // d = +infinity.
  Loss(30, -2);   // 100 %.
  Loss(40, 0);    // Risen by 100 %.
  Loss(50, 0.5);  // d = -infinity.
  const RuleReport report = Evaluate("LossNotDecreasing");
  EXPECT_EQ(FiredAt(report), (std::vector<Step>{10, 40}));
  EXPECT_EQ(report.findings[1].value, 100);
  EXPECT_EQ(report.findings[1].last_step, 50);
}

TEST_F(LossNotDecreasingTest, NonFiniteLossesAreLeftOut) {
  Loss(0, 4);
  Loss(10, NAN);
  Loss(11, INFINITY);
  Loss(12, 3);
  Loss(22, 3);
  const RuleReport report = Evaluate("LossNotDecreasing");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{22});
  EXPECT_EQ(report.coverage.steps, 2);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0],
            "1 tensor skipped (first: CrossEntropyLoss_output_0): no finite "
            "values");
}

TEST_F(LossNotDecreasingTest, OfMoreThanOneNumberTheMeanCounts) {
  Save(0, kLoss, {1, 3});
  Save(10, kLoss, {2, 2, 2});
  EXPECT_EQ(FiredAt(Evaluate("LossNotDecreasing")), std::vector<Step>{10});
}

TEST_F(LossNotDecreasingTest, EvaluationsComeFirst) {
  for (Step i = 0; i < 5; ++i) {
    LossAt(4 * i, Mode::kTrain, 2 * i, 1);  // Would fire.
    LossAt(4 * i + 1, Mode::kTrain, 2 * i + 1, 1);
    LossAt(4 * i + 2, Mode::kEval, 2 * i, 8 - static_cast<float>(i));
    LossAt(4 * i + 3, Mode::kEval, 2 * i + 1, i == 4 ? 8 : 7 - static_cast<float>(i));
  }
  // Steps of EVAL: 0 to 9; checked at 4 (6 against 8) and at 8 (4 against 6).
  const RuleReport report = Evaluate("LossNotDecreasing:num_steps=4");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.steps, 2);
}

TEST_F(LossNotDecreasingTest, TheModeCanBeSaid) {
  for (Step i = 0; i < 4; ++i) {
    LossAt(2 * i, Mode::kTrain, i, 1);
    LossAt(2 * i + 1, Mode::kEval, i, 1 / static_cast<float>(i + 1));
  }
  EXPECT_EQ(FiredAt(Evaluate("LossNotDecreasing:num_steps=2;mode=EVAL")), std::vector<Step>{});
  EXPECT_EQ(FiredAt(Evaluate("LossNotDecreasing:num_steps=2;mode=TRAIN")), std::vector<Step>{4});
  // All steps as one series: 1, 1, 1, 1/2, 1, 1/3, 1, 1/4.
  const RuleReport all = Evaluate("LossNotDecreasing:num_steps=2;mode=GLOBAL");
  EXPECT_EQ(FiredAt(all), std::vector<Step>{2});
  EXPECT_EQ(all.findings[0].last_step, 6);
  EXPECT_EQ(all.findings[0].mode, Mode::kGlobal);
  const RuleReport none = Evaluate("LossNotDecreasing:mode=PREDICT");
  EXPECT_EQ(none.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(none.reason, "no losses saved in mode PREDICT");
}

TEST_F(LossNotDecreasingTest, EvaluationsWithoutLossesDoNotCount) {
  Loss(0, 1);
  Save(1, "output_0", {1}, Mode::kEval);
  Loss(10, 1);
  EXPECT_EQ(FiredAt(Evaluate("LossNotDecreasing")), std::vector<Step>{10});
}

TEST_F(LossNotDecreasingTest, ARunWithoutModesIsEvaluatedAsItIs) {
  Loss(0, 1, Mode::kGlobal);
  Loss(10, 1, Mode::kGlobal);
  EXPECT_EQ(FiredAt(Evaluate("LossNotDecreasing")), std::vector<Step>{10});
}

TEST_F(LossNotDecreasingTest, TooFewSteps) {
  Loss(3, 1);
  Loss(12, 1);
  const RuleReport report = Evaluate("LossNotDecreasing");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 10 steps, found 9");
}

TEST_F(LossNotDecreasingTest, EachWorkerHasItsOwnHistory) {
  Manifest(2);
  Loss(0, 1, Mode::kTrain, 0);
  Loss(0, 2, Mode::kTrain, 1);
  Loss(10, 0.5, Mode::kTrain, 0);
  Loss(10, 2, Mode::kTrain, 1);
  const RuleReport report = Evaluate("LossNotDecreasing");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(LossNotDecreasingTest, OtherTensorsCanBeAddedToTheLosses) {
  Save(0, {{kLoss, FloatTensor({}, {1})}, {"my_metric", FloatTensor({}, {1})}});
  Save(10, {{kLoss, FloatTensor({}, {1})}, {"my_metric", FloatTensor({}, {1})}});
  EXPECT_EQ(Evaluate("LossNotDecreasing:tensor_regex=metric").findings.size(), 2u);
  const RuleReport alone =
      Evaluate("LossNotDecreasing:tensor_regex=metric;use_losses_collection=False");
  ASSERT_EQ(alone.findings.size(), 1u);
  EXPECT_EQ(alone.findings[0].tensor, "my_metric");
}

TEST_F(LossNotDecreasingTest, APatternMatchesOnlyScalars) {
  // A run that learns, and saves everything.
  for (const Step step : {0, 10, 20}) {
    const float loss = 1 / static_cast<float>(step + 1);
    Save(step, {{kLoss, FloatTensor({}, {loss})},
                {"my_loss", FloatTensor({1, 1}, {loss})},
                {"Net_fc2.weight", FloatTensor({2}, {1 - loss, 2 - loss})},
                {"Net_fc2.bias", FloatTensor({1}, {1 - loss})},
                {"gradient/Net_fc2.bias", FloatTensor({1}, {1 - loss})},
                {"fc1_output_0", FloatTensor({2}, {1 - loss, 2})},
                {"val_accuracy", FloatTensor({1}, {1 - loss})},
                {"batch", FloatTensor({1}, {static_cast<float>(step)})},
                {"scalar/lr", FloatTensor({1}, {0.1f})}});
  }
  const RuleReport report = Evaluate("LossNotDecreasing:tensor_regex=.*;mode=GLOBAL");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.tensors, 2);
  EXPECT_EQ(report.notes.size(), 4u);
}

TEST_F(LossNotDecreasingTest, WithoutAScalarNothingIsEvaluated) {
  Save(0, "Net_fc2.weight", {1, 2});
  Save(10, "Net_fc2.weight", {1, 2});
  Save(0, "fc2_output_0", {1, 2});
  Save(10, "fc2_output_0", {1, 2});
  const RuleReport report = Evaluate("LossNotDecreasing:tensor_regex=fc2");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
}

TEST(WhyNotALoss, NamesSayIt) {
  for (const char* name : {"loss", "val_loss", "scalar/accuracy_loss", "train-rmse", "my_metric",
                           "topk_error", "stepper", "scalar/perplexity"}) {
    EXPECT_EQ(WhyNotALoss(name), "") << name;
  }
  for (const char* name : {"accuracy", "val_accuracy", "scalar/Accuracy", "sparse_top_k_accuracy",
                           "val_auc", "scalar/F1"}) {
    EXPECT_EQ(WhyNotALoss(name), "higher is better for this metric") << name;
  }
  for (const char* name : {"batch", "scalar/lr", "learning_rate"}) {
    EXPECT_EQ(WhyNotALoss(name), "a counter or learning rate, not a loss") << name;
  }
}

TEST_F(LossNotDecreasingTest, Refusals) {
  EXPECT_EQ(Refusal("LossNotDecreasing:use_losses_collection=False"),
            "LossNotDecreasing: no losses selected; use_losses_collection=False needs "
            "collection_names or tensor_regex");
  EXPECT_EQ(Refusal("LossNotDecreasing:num_steps=0"),
            "LossNotDecreasing: num_steps is '0'; expected an integer from 1 to 1000000000");
  EXPECT_EQ(Refusal("LossNotDecreasing:diff_percent=150"),
            "LossNotDecreasing: diff_percent is '150'; expected a number from 0 to 100");
  EXPECT_EQ(Refusal("LossNotDecreasing:mode=train"),
            "LossNotDecreasing: mode is 'train'; expected TRAIN, EVAL, PREDICT or GLOBAL");
}

}  // namespace
}  // namespace warden::rules
