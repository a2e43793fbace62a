#include <cmath>
#include <random>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class LossSpikeTest : public RuleTest {
 protected:
  void Loss(float loss, Mode mode = Mode::kTrain, int worker = 0) {
    Save(next_++, kLoss, {loss}, mode, worker);
  }
  // Median 10, median distance 1, so that a deviation is 1.4826.
  void Usual(int count, Mode mode = Mode::kTrain) {
    for (int i = 0; i < count; ++i) Loss(static_cast<float>(9 + i % 3), mode);
  }
  Step next_ = 0;
};

TEST_F(LossSpikeTest, FiresAboveTheThreshold) {
  Usual(21);
  Loss(24.8f);  // (24.8 - 10) / 1.4826 = 9.98.
  Loss(10);
  Loss(24.9f);  // 10.05.
  Loss(10);
  const RuleReport report = Evaluate("LossSpike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 23);
  EXPECT_NEAR(report.findings[0].value, 14.9 / 1.4826, 1e-5);
  EXPECT_EQ(report.findings[0].message,
            "CrossEntropyLoss_output_0: loss 24.9 is 10 deviations above the median 10 of the last "
            "23 losses (threshold 10) at step 23");
  EXPECT_EQ(report.findings[0].count, 1);
}

TEST_F(LossSpikeTest, ALossThatHardlyMovesNeedsItsPercentage) {
  for (int i = 0; i < 20; ++i) Loss(2);
  Loss(2.99f);  // No deviation at all, but less than half above.
  Loss(3);      // Exactly half.
  EXPECT_EQ(FiredAt(Evaluate("LossSpike")), std::vector<Step>{21});
  EXPECT_EQ(FiredAt(Evaluate("LossSpike:min_increase_percent=10")), std::vector<Step>{20});
}

TEST_F(LossSpikeTest, TooFewLosses) {
  Usual(19);
  Loss(1000);
  const RuleReport report = Evaluate("LossSpike");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "needs 20 training losses, found 19");
}

TEST_F(LossSpikeTest, SpikesDoNotChangeWhatIsUsualUntilTheyLast) {
  Usual(21);
  for (int i = 0; i < 60; ++i) Loss(100);
  Loss(100);
  Loss(1000);
  const RuleReport report = Evaluate("LossSpike:window=21;patience=3");
  // From the third on they enter the window, of which the 11th, at step 31, is the majority.
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].step, 21);
  EXPECT_EQ(report.findings[0].last_step, 31);
  EXPECT_EQ(report.findings[1].step, 82);
}

TEST_F(LossSpikeTest, TheLastOfThePatienceBringsAllIn) {
  for (const float loss : {10, 10, 10, 10, 100, 100, 100}) Loss(loss);
  // Of 10, 10, 100, 100 the median is 55 and the deviation 67.
  const RuleReport report = Evaluate("LossSpike:window=4;min_steps=4;patience=2");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 4);
  EXPECT_EQ(report.findings[0].count, 2);
}

TEST_F(LossSpikeTest, ShortSpikesLeaveNoTrace) {
  Usual(21);
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 4; ++i) Loss(100);  // One less than patience.
    Loss(10);
  }
  const RuleReport report = Evaluate("LossSpike");
  EXPECT_EQ(report.findings.size(), 40u);
}

TEST_F(LossSpikeTest, NonFiniteLossesAreLeftToOthers) {
  Usual(20);
  Loss(NAN);
  Loss(INFINITY);
  Loss(10);
  const RuleReport report = Evaluate("LossSpike");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.notes.size(), 1u);
}

TEST_F(LossSpikeTest, OnlyTrainingIsEvaluated) {
  Usual(20, Mode::kGlobal);
  Loss(1000, Mode::kEval);
  Loss(1000, Mode::kTrain);  // Has a history of its own.
  Loss(1000, Mode::kGlobal);
  EXPECT_EQ(FiredAt(Evaluate("LossSpike")), std::vector<Step>{22});
}

TEST_F(LossSpikeTest, EvaluationsAlone) {
  Usual(30, Mode::kEval);
  const RuleReport report = Evaluate("LossSpike");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason, "no losses saved at training steps");
}

TEST_F(LossSpikeTest, EachWorkerHasItsOwnHistory) {
  Manifest(2);
  for (Step step = 0; step < 22; ++step) {
    const float usual = static_cast<float>(9 + step % 3);
    Save(step, kLoss, {100 * usual}, Mode::kTrain, 0);
    Save(step, kLoss, {step == 21 ? 100 : usual}, Mode::kTrain, 1);
  }
  const RuleReport report = Evaluate("LossSpike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

// Curves as training gives them, many steps each.
TEST_F(LossSpikeTest, OrdinaryLossesAreNotSpikes) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 1);
  for (Step step = 0; step < 1500; ++step) {
    const auto t = static_cast<float>(step);
    const float decay = 0.05f + 5 * std::exp(-t / 200);
    Save(step, {{"a_loss_output", FloatTensor({}, {decay})},
                {"b_loss_output", FloatTensor({}, {decay * (1 + 0.2f * normal(random))})},
                {"c_loss_output", FloatTensor({}, {decay * std::exp(0.3f * normal(random))})},
                {"d_loss_output", FloatTensor({}, {2 + 0.5f * normal(random)})},
                {"e_loss_output", FloatTensor({}, {1 + t / 300 + 0.1f * normal(random)})},
                {"f_loss_output", FloatTensor({}, {2 + std::sin(t / 20)})},
                {"g_loss_output", FloatTensor({}, {step % 100 < 50 ? 2.f : 1.5f})},
                {"h_loss_output", FloatTensor({}, {-decay + 0.2f * normal(random)})}});
  }
  const RuleReport report = Evaluate("LossSpike");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound)
      << report.findings.at(0).message << " and " << report.findings.size() - 1 << " more";
  EXPECT_EQ(report.coverage.tensors, 8);
}

TEST_F(LossSpikeTest, ASpikeInANoisyLossIsFound) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 1);
  for (int step = 0; step < 600; ++step) {
    const float usual =
        (0.5f + 3 * std::exp(-static_cast<float>(step) / 100)) * std::exp(0.2f * normal(random));
    Loss(step == 400 || step == 401 ? 8 : usual);
  }
  const RuleReport report = Evaluate("LossSpike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 400);
  EXPECT_EQ(report.findings[0].last_step, 401);
}

TEST_F(LossSpikeTest, Refusals) {
  EXPECT_EQ(Refusal("LossSpike:window=10"),
            "LossSpike: min_steps is 20; expected at most window (10)");
  EXPECT_EQ(Refusal("LossSpike:patience=0"),
            "LossSpike: patience is '0'; expected an integer from 1 to 1000000");
}

}  // namespace
}  // namespace warden::rules
