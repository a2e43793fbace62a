#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

using ConstantWeightsValues = std::vector<float>;
const ConstantWeightsValues kRandomWeights = {0.1F, -0.2F, 0.3F, 0.05F};
const ConstantWeightsValues kZeroWeights = {0, 0, 0, 0};

constexpr char kConstantWeightsFacts[] =
    R"({"parameters": [["Net_fc1.weight", "Linear"], ["Net_norm.weight", "LayerNorm"],
        ["Net_fc2.weight", "Conv2d"], ["Net_fc3.weight", "Linear"]], "frozen": {}})";

class ConstantWeightsTest : public TrainingTest {
 protected:
  // A step of a model with three layers, and a normalization.
  void Weights(Step step, const ConstantWeightsValues& fc1, const ConstantWeightsValues& fc2,
               const ConstantWeightsValues& fc3, const std::string& facts = kConstantWeightsFacts) {
    const auto tensor = [](const ConstantWeightsValues& values) {
      return FloatTensor({static_cast<int64_t>(values.size())}, values);
    };
    Train(step, FallingLoss(step), {{"optimizer_step", static_cast<double>(step + 1)}},
          step == 0 ? facts : "",
          {{"Net_fc1.weight", tensor(fc1)},
           {"Net_fc2.weight", tensor(fc2)},
           {"Net_fc3.weight", tensor(fc3)},
           {"Net_norm.weight", tensor({1, 1, 1, 1})}});
  }
};

TEST_F(ConstantWeightsTest, FiresWhenALayerStartsWithEqualWeights) {
  for (Step step = 0; step < 10; ++step) {
    const float value = 0.5F - 0.01F * static_cast<float>(step);
    Weights(step, {value, value, value, value}, kRandomWeights, kRandomWeights);
  }
  const Finding finding = Only(Evaluate("ConstantWeights"));
  EXPECT_LE(finding.step, 1);
  EXPECT_EQ(finding.tensor, "Net_fc1.weight");
  EXPECT_TRUE(Says(finding.message, {"same value (0.5)", "all units learn the same"}));
  EXPECT_TRUE(Says(finding.advice, {"nn.init"}));
}

TEST_F(ConstantWeightsTest, FiresWhenALayerStaysZero) {
  for (Step step = 0; step < 60; ++step) {
    Weights(step, kRandomWeights, kZeroWeights, kRandomWeights);
  }
  const Finding finding = Only(Evaluate("ConstantWeights"));
  EXPECT_GT(finding.step, 2);
  EXPECT_EQ(finding.tensor, "Net_fc2.weight");
  EXPECT_TRUE(Says(finding.message, {"zero", "no gradient passes"}));
}

TEST_F(ConstantWeightsTest, FiresWhenMostLayersStartWithZeros) {
  for (Step step = 0; step < 5; ++step) {
    Weights(step, kZeroWeights, kZeroWeights, kRandomWeights);
  }
  const Finding finding = Only(Evaluate("ConstantWeights"));
  EXPECT_LE(finding.step, 4);
  EXPECT_TRUE(Says(finding.message, {"2 of 3 layers", "zeros"}));
}

TEST_F(ConstantWeightsTest, RandomWeights) {
  for (Step step = 0; step < 40; ++step) {
    Weights(step, kRandomWeights, kRandomWeights, kRandomWeights);
  }
  EXPECT_EQ(Evaluate("ConstantWeights").status, RuleStatus::kNoIssuesFound);
}

TEST_F(ConstantWeightsTest, ALastLayerOfZerosThatMovesIsFine) {
  for (Step step = 0; step < 40; ++step) {
    Weights(step, kRandomWeights, kRandomWeights, step < 2 ? kZeroWeights : kRandomWeights);
  }
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, ALastLayerOfZerosWaitsForTheFirstUpdateOfAnAccumulation) {
  for (Step step = 0; step < 96; ++step) {
    const LogNumbers numbers = {{step % 32 == 31 ? "optimizer_step" : "capture_share", 1}};
    Train(step, FallingLoss(step), numbers, kConstantWeightsFacts,
          {{"Net_fc1.weight", FloatTensor({4}, kRandomWeights)},
           {"Net_fc2.weight", FloatTensor({4}, kRandomWeights)},
           {"Net_fc3.weight", FloatTensor({4}, step < 32 ? kZeroWeights : kRandomWeights)}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, FrozenZerosAreOnPurpose) {
  for (Step step = 0; step < 40; ++step) {
    Weights(step, kRandomWeights, kZeroWeights, kRandomWeights,
            R"({"parameters": [["Net_fc1.weight", "Linear"], ["Net_fc2.weight", "Linear"],
                ["Net_fc3.weight", "Linear"]], "frozen": {"Net_fc2.weight": "initial"}})");
  }
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, ASingleWeightIsEqualToNothingElse) {
  for (Step step = 0; step < 40; ++step) {
    Train(step, FallingLoss(step), {{"optimizer_step", static_cast<double>(step + 1)}},
          R"({"parameters": [["Linear_weight", "Linear"], ["Linear_bias", "Linear"]]})",
          {{"Linear_weight", FloatTensor({1, 1}, {0.5F})}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, BadInputIsLeftOut) {
  BadSteps({"optimizer_step"});
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, FactsOfOtherTypesAreLeftOut) {
  for (Step step = 0; step < 40; ++step) {
    const auto& facts = BadFacts();
    Train(step, FallingLoss(step), {{"optimizer_step", static_cast<double>(step + 1)}},
          facts[static_cast<size_t>(step) % facts.size()],
          {{"Net_fc1.weight", FloatTensor({4}, kZeroWeights)},
           {"Net_fc2.weight", FloatTensor({4}, {1, 1, 1, 1})}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, WeightsThatAreNotFiniteAreLeftToOthers) {
  for (Step step = 0; step < 40; ++step) {
    Weights(step, {NAN, NAN, NAN, NAN}, {INFINITY, -INFINITY, NAN, NAN}, {});
  }
  EXPECT_TRUE(IsSilent(Evaluate("ConstantWeights")));
}

TEST_F(ConstantWeightsTest, FiresForParametersThatAreNotSaved) {
  for (Step step = 0; step < 10; ++step) {
    Weights(step, kRandomWeights, kRandomWeights, kRandomWeights,
            R"({"parameters": [["Net_fc1.weight", "Linear"]], "frozen": {},
                "still_zero": ["Net_fc2.weight", "Net_q.lora_A", "Net_q.lora_B"]})");
  }
  const Finding finding = Only(Evaluate("ConstantWeights"));
  EXPECT_EQ(finding.step, 5);
  EXPECT_EQ(finding.value, 2);
  EXPECT_TRUE(Says(finding.message, {"q.lora_A, q.lora_B were initialized with zeros"}));
}

}  // namespace
}  // namespace warden::rules
