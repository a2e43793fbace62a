#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kGradientFlow[] = "GradientFlow:ratio=0.001;steps=60";

class GradientFlowTest : public TrainingTest {
 protected:
  // 100 steps of a model with one layer for each size of gradients. 0: it has none, since the layer
  // is frozen.
  void Steps(const std::vector<double>& sizes, double (*loss)(Step), bool has_facts = true,
             const LogNumbers& numbers = {}) {
    std::string facts;
    for (size_t i = 0; i < sizes.size(); ++i) {
      facts += (i == 0 ? "[" : ", [") + ("\"" + Layer(i) + "\", \"Linear\"]");
    }
    facts = "{\"parameters\": [" + facts + "]}";
    for (Step step = 0; step < 100; ++step) {
      Tensors tensors;
      for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0) continue;
        const auto size = static_cast<float>(sizes[i]);
        tensors["gradient/" + Layer(i)] = FloatTensor({2}, {size, -size});
      }
      Train(step, loss(step), numbers, step == 0 && has_facts ? facts : "", tensors);
    }
  }
  // Names that do not sort like the layers do.
  static std::string Layer(size_t i) { return "Net_" + std::string(1, "ZYXWVU"[i]) + ".weight"; }
};

TEST_F(GradientFlowTest, FiresWhenGradientsFadeAndTheLossIsFlat) {
  Steps({1e-9, 1e-8, 1e-6, 1e-3, 1e-1}, FlatLoss);
  const Finding finding = Only(Evaluate(kGradientFlow));
  EXPECT_EQ(finding.step, 59);
  EXPECT_EQ(finding.last_step, 99);
  EXPECT_EQ(finding.tensor, "Net_Z.weight");
  EXPECT_NEAR(finding.value, 1e-8, 1e-10);
  EXPECT_TRUE(Says(finding.message, {"gradients vanish", "first layer", "does not fall"}));
  EXPECT_TRUE(Says(finding.advice, {"ReLU"}));
  EXPECT_EQ(finding.spread, (std::vector<std::string>{"Net_V 0.1", "Net_W 0.001", "Net_X 1e-06",
                                                      "Net_Y 1e-08", "Net_Z 1e-09"}));
}

TEST_F(GradientFlowTest, OfAScaledLossTheGradientsThemselvesCount) {
  const std::vector<double> scaled = {1e-9, 1e-8, 1e-4, 1e-1, 1e3};
  Steps(scaled, FallingLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
  Steps(scaled, FallingLoss, /*has_facts=*/true, {{"loss_scale", 65536}, {"scaler_skipped", 0}});
  const Finding finding = Only(Evaluate(kGradientFlow));
  EXPECT_TRUE(Says(finding.message, {"gradients vanish", "1.5e-14"}));
}

TEST_F(GradientFlowTest, StepsThatAScalerLeavesOutDoNotCount) {
  Steps({1e-9, 1e-8, 1e-6, 1e-3, 1e-1}, FlatLoss, /*has_facts=*/true,
        {{"loss_scale", 1024}, {"scaler_skipped", 1}});
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, WithoutFactsTheOrderIsThatInWhichGradientsAreSaved) {
  Steps({1e-9, 1e-8, 1e-6, 1e-3, 1e-1}, FlatLoss, /*has_facts=*/false);
  EXPECT_EQ(Only(Evaluate(kGradientFlow)).tensor, "Net_Z.weight");
}

TEST_F(GradientFlowTest, SmallGradientsAreFineWhileTheLossFalls) {
  Steps({1e-9, 1e-8, 1e-6, 1e-3, 1e-1}, FallingLoss);
  EXPECT_EQ(Evaluate(kGradientFlow).status, RuleStatus::kNoIssuesFound);
}

TEST_F(GradientFlowTest, GradientsThatAreSmallEverywhereDoNotFade) {
  Steps({1e-9, 2e-9, 1e-9, 3e-9, 2e-9}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, GradientsMayGrowOnTheirWayBack) {
  Steps({1e-1, 1e-3, 1e-6, 1e-8, 1e-9}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, FrozenLayersHaveNoGradients) {
  Steps({0, 0, 1e-2, 2e-2, 1e-2, 2e-2}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, TwoLayersAreNotDeepEnough) {
  Steps({1e-9, 1e-1}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, GradientsThatAreNotFiniteAreLeftToOthers) {
  Steps({NAN, NAN, 1e-3, INFINITY, 1e-1}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, BadInputIsLeftOut) {
  BadSteps({"optimizers_created"}, FlatLoss);
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, FactsOfOtherTypesAreLeftOut) {
  for (Step step = 0; step < 100; ++step) {
    const auto& facts = BadFacts();
    Train(step, FlatLoss(step), {}, facts[static_cast<size_t>(step) % facts.size()],
          {{"gradient/Net_a.weight", FloatTensor({1}, {1})},
           {"gradient/Net_b.weight", FloatTensor({1}, {2})},
           {"gradient/Net_c.weight", FloatTensor({1}, {1})},
           {"gradient/Net_d.weight", FloatTensor({1}, {2})}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kGradientFlow)));
}

TEST_F(GradientFlowTest, GradientsThatAreLostNeedFewSteps) {
  Steps({1e-18, 1e-16, 1e-9, 1e-5, 1e-1}, FallingLoss);
  const Finding finding = Only(Evaluate(kGradientFlow));
  EXPECT_EQ(finding.step, 6);
  EXPECT_TRUE(Says(finding.message, {"gradients vanish"}));
  EXPECT_FALSE(Says(finding.message, {"does not fall"}));
}

}  // namespace
}  // namespace warden::rules
