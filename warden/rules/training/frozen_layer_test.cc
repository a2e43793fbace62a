#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

// Facts of a model with four layers, an embedding and a normalization; `frozen` is the object of
// those that are.
std::string FrozenLayerFacts(const std::string& frozen) {
  return R"({"parameters": [["Net_embed.weight", "Embedding"], ["Net_a.weight", "Linear"],
             ["Net_b.weight", "Conv2d"], ["Net_norm.weight", "LayerNorm"],
             ["Net_c.weight", "Linear"], ["Net_d.weight", "Linear"]], "frozen": )" +
         frozen + "}";
}

class FrozenLayerTest : public TrainingTest {
 protected:
  // Ten steps of training, with these facts at the first.
  void Steps(const std::string& facts) {
    for (Step step = 0; step < 10; ++step) {
      Note(step, {{"optimizer_step", static_cast<double>(step + 1)}}, step == 0 ? facts : "");
    }
  }
};

TEST_F(FrozenLayerTest, FiresWhenALayerInTheMiddleIsFrozen) {
  Steps(FrozenLayerFacts(R"({"Net_c.weight": "initial"})"));
  const Finding finding = Only(Evaluate("FrozenLayer:steps=4"));
  EXPECT_EQ(finding.step, 3);
  EXPECT_EQ(finding.last_step, 9);
  EXPECT_TRUE(Says(finding.message, {"c.weight", "frozen", "initial"}));
  EXPECT_FALSE(Says(finding.message, {"Net_"}));
  EXPECT_TRUE(Says(finding.advice, {"requires_grad"}));
}

TEST_F(FrozenLayerTest, FineTuningFreezesMostOfTheModel) {
  Steps(FrozenLayerFacts(
      R"({"Net_embed.weight": "loaded", "Net_a.weight": "loaded", "Net_b.weight": "loaded",
          "Net_norm.weight": "loaded", "Net_c.weight": "loaded"})"));
  EXPECT_TRUE(IsSilent(Evaluate("FrozenLayer")));
}

TEST_F(FrozenLayerTest, EmbeddingsAndNormalizationsAreFrozenOnPurpose) {
  Steps(FrozenLayerFacts(R"({"Net_embed.weight": "initial", "Net_norm.weight": "initial"})"));
  EXPECT_TRUE(IsSilent(Evaluate("FrozenLayer")));
}

TEST_F(FrozenLayerTest, LayersThatWereTrainedOrLoadedAreFrozenOnPurpose) {
  Steps(FrozenLayerFacts(R"({"Net_c.weight": "trained", "Net_d.weight": "loaded"})"));
  EXPECT_TRUE(IsSilent(Evaluate("FrozenLayer")));
}

TEST_F(FrozenLayerTest, NothingIsFrozen) {
  Steps(FrozenLayerFacts("{}"));
  const RuleReport report = Evaluate("FrozenLayer");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
}

TEST_F(FrozenLayerTest, EndsWhenTheLayerIsTrained) {
  for (Step step = 0; step < 20; ++step) {
    const std::string facts = step == 0    ? FrozenLayerFacts(R"({"Net_c.weight": "initial"})")
                              : step == 10 ? FrozenLayerFacts("{}")
                                           : "";
    Note(step, {{"optimizer_step", static_cast<double>(step + 1)}}, facts);
  }
  EXPECT_EQ(Only(Evaluate("FrozenLayer")).last_step, 9);
}

TEST_F(FrozenLayerTest, EvaluationDoesNotRepeatTheFinding) {
  for (Step step = 0; step < 40; ++step) {
    const bool evaluates = step % 10 == 9;
    Note(step,
         evaluates ? LogNumbers{{"capture_share", 0.01}}
                   : LogNumbers{{"optimizer_step", static_cast<double>(step + 1)}},
         step == 0 ? FrozenLayerFacts(R"({"Net_c.weight": "initial"})") : "", {},
         evaluates ? Mode::kEval : Mode::kTrain);
  }
  EXPECT_EQ(Only(Evaluate("FrozenLayer")).mode, Mode::kTrain);
}

TEST_F(FrozenLayerTest, BadInputIsLeftOut) {
  BadSteps({"optimizer_step"});
  EXPECT_TRUE(IsSilent(Evaluate("FrozenLayer")));
}

TEST_F(FrozenLayerTest, FactsOfOtherTypesAreLeftOut) {
  Step step = 0;
  for (const std::string& facts : BadFacts()) {
    Note(step, {{"optimizer_step", static_cast<double>(100 + step)}}, facts);
    ++step;
  }
  for (const char* frozen : {"[\"Net_c.weight\"]", "\"Net_c.weight\"", "1", "null",
                             R"({"Net_c.weight": true})", R"({"Net_c.weight": ["initial"]})"}) {
    Note(step, {{"optimizer_step", static_cast<double>(100 + step)}}, FrozenLayerFacts(frozen));
    ++step;
  }
  EXPECT_TRUE(IsSilent(Evaluate("FrozenLayer")));
}

TEST_F(FrozenLayerTest, KnowsTheLayersOfKeras) {
  Steps(R"({"framework": "keras", "parameters": [["enc/kernel", "Dense"], ["n/gamma",
            "LayerNormalization"]], "frozen": {"enc/kernel": "initial", "n/gamma": "initial"}})");
  const Finding finding = Only(Evaluate("FrozenLayer"));
  EXPECT_EQ(finding.value, 1);
  EXPECT_TRUE(Says(finding.message, {"enc/kernel", "trainable is False"}));
}

}  // namespace
}  // namespace warden::rules
