#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kLossInputs[] = "LossInputs:calls=4";

class LossInputsTest : public TrainingTest {
 protected:
  // Ten calls, of which the last eight have these mistakes.
  void Calls(const std::vector<std::string>& mistakes) {
    for (Step step = 0; step < 10; ++step) {
      LogNumbers numbers;
      for (const std::string& mistake : mistakes) numbers[mistake] = step < 2 ? 0 : 1;
      Note(step, numbers, step == 0 ? R"({"loss_line": "train.py:10"})" : "");
    }
  }
  // The only finding, which must come after four calls.
  Finding AfterFour() {
    const Finding finding = Only(Evaluate(kLossInputs));
    EXPECT_EQ(finding.step, 5);
    EXPECT_EQ(finding.last_step, 9);
    EXPECT_TRUE(Says(finding.message, {"(train.py:10)"}));
    return finding;
  }
};

TEST_F(LossInputsTest, ProbabilitiesInsteadOfLogits) {
  Calls({"loss_input_is_probability"});
  const Finding finding = AfterFour();
  EXPECT_TRUE(Says(finding.message, {"probabilities", "applied twice"}));
  EXPECT_TRUE(Says(finding.advice, {"logits"}));
}

TEST_F(LossInputsTest, SoftmaxOverTheBatch) {
  Calls({"loss_input_sums_over_batch"});
  const Finding finding = AfterFour();
  EXPECT_TRUE(Says(finding.message, {"over the batch instead of the classes"}));
  EXPECT_TRUE(Says(finding.advice, {"dim=1"}));
}

TEST_F(LossInputsTest, NoLogProbabilities) {
  Calls({"nll_input_is_no_log_probability"});
  const Finding finding = AfterFour();
  EXPECT_TRUE(Says(finding.message, {"NLLLoss", "not log-probabilities"}));
  EXPECT_TRUE(Says(finding.advice, {"log_softmax"}));
}

TEST_F(LossInputsTest, ShapesThatAreBroadcast) {
  Calls({"loss_shapes_differ"});
  const Finding finding = AfterFour();
  EXPECT_TRUE(Says(finding.message, {"different shapes", "broadcasting"}));
  EXPECT_TRUE(Says(finding.advice, {"squeeze"}));
}

TEST_F(LossInputsTest, OfSeveralMistakesTheMostSpecificIsNamed) {
  Calls({"nll_input_is_no_log_probability", "loss_input_is_probability",
         "loss_input_sums_over_batch"});
  EXPECT_TRUE(Says(AfterFour().message, {"over the batch instead of the classes"}));
}

TEST_F(LossInputsTest, NamesTheShapes) {
  for (Step step = 0; step < 10; ++step) {
    Note(step, {{"loss_shapes_differ", 1}}, R"({"loss_shapes": [[32, 1], [32]]})");
  }
  EXPECT_TRUE(Says(Only(Evaluate(kLossInputs)).message, {"[32,1] and [32]"}));
}

TEST_F(LossInputsTest, ShapesOfOtherTypesAreLeftOut) {
  for (Step step = 0; step < 10; ++step) {
    Note(step, {{"loss_shapes_differ", 1}}, R"({"loss_shapes": {"a": 1}, "loss_line": 10})");
  }
  EXPECT_TRUE(Says(Only(Evaluate(kLossInputs)).message, {"(broadcasting) at step"}));
}

TEST_F(LossInputsTest, CallsThatWereNotCheckedDoNotCount) {
  for (Step step = 0; step < 100; ++step) {
    Note(step, step % 20 == 0 ? LogNumbers{{"loss_input_is_probability", 1}}
                              : LogNumbers{{"capture_share", 0.01}});
  }
  const Finding finding = Only(Evaluate(kLossInputs));
  EXPECT_EQ(finding.step, 60);
  EXPECT_EQ(finding.last_step, 99);
}

TEST_F(LossInputsTest, LogitsThatLookLikeProbabilitiesOnceAreFine) {
  for (Step step = 0; step < 50; ++step) {
    Note(step, {{"loss_input_is_probability", step % 3 == 0 ? 0. : 1.},
                {"loss_shapes_differ", 0},
                {"loss_input_sums_over_batch", 0}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kLossInputs)));
}

TEST_F(LossInputsTest, BadInputIsLeftOut) {
  BadSteps({"loss_input_is_probability", "loss_input_sums_over_batch",
            "nll_input_is_no_log_probability", "loss_shapes_differ"});
  EXPECT_TRUE(IsSilent(Evaluate("LossInputs")));
}

TEST_F(LossInputsTest, LogitsInsteadOfProbabilities) {
  Calls({"loss_gets_logits"});
  const Finding finding = AfterFour();
  EXPECT_TRUE(Says(finding.message, {"expects probabilities", "logits"}));
  EXPECT_TRUE(Says(finding.advice, {"from_logits=True"}));
}

}  // namespace
}  // namespace warden::rules
