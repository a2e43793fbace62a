#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

constexpr char kInputScale[] = "InputScale:largest=50;looks=4";

class InputScaleTest : public TrainingTest {
 protected:
  // Looks at inputs, at ten steps in a row.
  void Looks(double mean, double deviation, double largest, const std::string& facts = "") {
    for (Step step = 0; step < 10; ++step) {
      Note(step, {{"input_mean", mean}, {"input_deviation", deviation}, {"input_largest", largest}},
           step == 0 ? facts : "");
    }
  }
};

TEST_F(InputScaleTest, FiresForImagesFrom0To255) {
  Looks(120, 70, 255, R"({"input_is_normalized": false})");
  const Finding finding = Only(Evaluate(kInputScale));
  EXPECT_EQ(finding.step, 3);
  EXPECT_EQ(finding.last_step, 9);
  EXPECT_EQ(finding.value, 255);
  EXPECT_TRUE(Says(finding.message, {"not normalized", "255", "mean 120", "deviation 70"}));
}

TEST_F(InputScaleTest, FiresForInputsThatAreAllTheSame) {
  Looks(0.5, 0, 0.5);
  const Finding finding = Only(Evaluate(kInputScale));
  EXPECT_EQ(finding.step, 3);
  EXPECT_TRUE(Says(finding.message, {"all inputs of the model have the same value (0.5)"}));
}

TEST_F(InputScaleTest, FiresByDefaultAtTheThirdStepForWideInputsAndAtTheFourthForEqualOnes) {
  Looks(120, 70, 255);
  EXPECT_EQ(Only(Evaluate("InputScale")).step, 2);
  Looks(0.5, 0, 0.5);
  EXPECT_EQ(Only(Evaluate("InputScale")).step, 3);
}

TEST_F(InputScaleTest, ASecondModelMayTakeTurnsWithTheOneThatGetsTheData) {
  for (Step step = 0; step < 10; ++step) {
    const bool data = step % 2 == 0;
    Note(step, {{"input_mean", data ? 14. : 0.},
                {"input_deviation", data ? 34. : 0.2},
                {"input_largest", data ? 255. : 0.5}});
  }
  const Finding finding = Only(Evaluate("InputScale"));
  EXPECT_EQ(finding.step, 4);
  EXPECT_TRUE(Says(finding.message, {"values up to 255, mean 14, deviation 34"}));
}

TEST_F(InputScaleTest, AWideBatchNowAndThenIsFine) {
  for (Step step = 0; step < 40; ++step) {
    const bool wide = step % 3 == 0;
    Note(step, {{"input_mean", 0},
                {"input_deviation", wide ? 40. : 1.},
                {"input_largest", wide ? 200. : 3.}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("InputScale")));
}

TEST_F(InputScaleTest, NormalizedInputs) {
  Looks(0.02, 0.98, 4.5);
  EXPECT_EQ(Evaluate(kInputScale).status, RuleStatus::kNoIssuesFound);
}

TEST_F(InputScaleTest, AnOutlierAmongNormalizedInputsIsFine) {
  Looks(0.02, 1.1, 80);
  EXPECT_TRUE(IsSilent(Evaluate(kInputScale)));
}

TEST_F(InputScaleTest, AModelThatNormalizesItselfTakesAnyScale) {
  Looks(120, 70, 255, R"({"input_is_normalized": true})");
  EXPECT_TRUE(IsSilent(Evaluate(kInputScale)));
}

TEST_F(InputScaleTest, AFewEmptyBatchesAreFine) {
  for (Step step = 0; step < 40; ++step) {
    const bool empty = step % 4 == 0;
    Note(step, {{"input_mean", 0},
                {"input_deviation", empty ? 0. : 1.},
                {"input_largest", empty ? 0. : 3.}});
  }
  EXPECT_TRUE(IsSilent(Evaluate(kInputScale)));
}

TEST_F(InputScaleTest, TheLargestValueAloneSaysNothing) {
  for (Step step = 0; step < 40; ++step) Note(step, {{"input_largest", 255}});
  EXPECT_TRUE(IsSilent(Evaluate(kInputScale)));
}

TEST_F(InputScaleTest, BadInputIsLeftOut) {
  BadSteps({"input_mean", "input_deviation", "input_largest", "input_rows_same", "same_batch"});
  EXPECT_TRUE(IsSilent(Evaluate("InputScale")));
}

TEST_F(InputScaleTest, FiresWhenAllSamplesOfABatchAreTheSame) {
  for (Step step = 0; step < 10; ++step) Note(step, {{"input_rows_same", step == 0 ? 0. : 1.}});
  const Finding finding = Only(Evaluate(kInputScale));
  EXPECT_EQ(finding.step, 7);
  EXPECT_TRUE(Says(finding.message, {"all samples of a batch are the same"}));
  EXPECT_TRUE(Says(finding.advice, {"index"}));
}

TEST_F(InputScaleTest, FiresWhenTheSameBatchComesAgainAndAgain) {
  for (Step step = 0; step < 10; ++step) Note(step, {{"same_batch", static_cast<double>(step)}});
  const Finding finding = Only(Evaluate(kInputScale));
  EXPECT_EQ(finding.step, 7);
  EXPECT_TRUE(Says(finding.message, {"same batch again and again"}));
}

TEST_F(InputScaleTest, ABatchThatComesAgainNowAndThenIsFine) {
  for (Step step = 0; step < 100; ++step) {
    Note(step, {{"same_batch", static_cast<double>(step % 5)},
                {"input_rows_same", step % 5 == 0 ? 0. : 1.}});
  }
  EXPECT_EQ(Evaluate(kInputScale).status, RuleStatus::kNoIssuesFound);
}

}  // namespace
}  // namespace warden::rules
