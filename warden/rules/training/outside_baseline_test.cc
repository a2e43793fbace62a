#include <cmath>

#include "warden/os/temp_folder_for_test.h"
#include "warden/rules/baseline/learn.h"
#include "warden/rules/baseline/runs_for_test.h"
#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

class OutsideBaselineTest : public TrainingTest {
 protected:
  // The rule with a baseline that is learned from so many good runs.
  std::string Rule(int runs) {
    std::vector<std::string> folders;
    for (int seed = 1; seed <= runs; ++seed) {
      folders.push_back(folder_.File("good" + std::to_string(seed)));
      WriteTrainingRun(folders.back(), {.seed = seed});
    }
    const auto baseline = LearnBaseline(folders, nullptr);
    EXPECT_TRUE(baseline.ok()) << baseline.status().message();
    const std::string file = folder_.File("baseline.json");
    EXPECT_TRUE(WriteBaseline(file, baseline.value()).ok());
    return "OutsideBaseline:baseline=" + file;
  }
  void Train(const TestTraining& training) {
    for (Step step = 0; step < training.steps; ++step) {
      Save(step, TrainingTensors(training, step));
    }
  }

  const os::TempFolder folder_;
};

TEST_F(OutsideBaselineTest, AnotherSeedIsSilent) {
  const std::string rule = Rule(1);
  Train({.seed = 9});
  EXPECT_EQ(Evaluate(rule).status, RuleStatus::kNoIssuesFound);
}

TEST_F(OutsideBaselineTest, TensorsThatGrowAreOneFindingWithTheWorstFirst) {
  const std::string rule = Rule(3);
  Train({.seed = 9, .gradients = 500, .since = 60});
  const Finding finding = Only(Evaluate(rule));
  EXPECT_GE(finding.step, 60);
  EXPECT_LE(finding.step, 80);
  EXPECT_EQ(finding.last_step, 119);
  EXPECT_GT(finding.value, finding.threshold);
  EXPECT_TRUE(Says(finding.message, {"2 of 5 tensors outside the range of 3 good runs",
                                     "worst: gradient/Net_", "(usual "}));
  EXPECT_TRUE(Says(finding.advice, {"learn a new baseline"}));
}

TEST_F(OutsideBaselineTest, TensorsThatShrinkAreOutsideToo) {
  const std::string rule = Rule(2);
  Train({.seed = 9, .gradients = 0.001, .since = 40});
  const Finding finding = Only(Evaluate(rule));
  EXPECT_LT(finding.value, finding.threshold);
}

TEST_F(OutsideBaselineTest, OneLossIsEnough) {
  const std::string rule = Rule(2);
  Train({.seed = 9, .loss = 8, .since = 50});
  EXPECT_TRUE(Says(Only(Evaluate(rule)).message, {"1 of 5 tensors", kLoss}));
}

TEST_F(OutsideBaselineTest, ALowerLossIsNoProblem) {
  const std::string rule = Rule(2);
  Train({.seed = 9, .loss = 0.01});
  EXPECT_TRUE(IsSilent(Evaluate(rule)));
}

TEST_F(OutsideBaselineTest, FewStepsOutsideAreNoProblem) {
  const std::string rule = Rule(2);
  for (Step step = 0; step < 120; ++step) {
    const double factor = step % 4 == 0 ? 1000 : 1;
    Save(step, TrainingTensors({.seed = 9, .gradients = factor, .loss = factor}, step));
  }
  EXPECT_TRUE(IsSilent(Evaluate(rule)));
}

TEST_F(OutsideBaselineTest, TheFindingEndsWhenAllAreBack) {
  const std::string rule = Rule(2);
  for (Step step = 0; step < 120; ++step) {
    const bool wrong = step >= 30 && step < 60;
    Save(step, TrainingTensors({.seed = 9, .gradients = wrong ? 500.0 : 1.0}, step));
  }
  const Finding finding = Only(Evaluate(rule));
  EXPECT_LT(finding.last_step, 80);
}

TEST_F(OutsideBaselineTest, FoldersOfGoodRunsAreABaseline) {
  Rule(2);
  Train({.seed = 9, .gradients = 500});
  const std::string rule =
      "OutsideBaseline:baseline=" + folder_.File("good1") + "," + folder_.File("good2");
  EXPECT_TRUE(Says(Only(Evaluate(rule)).message, {"2 good runs"}));
}

TEST_F(OutsideBaselineTest, LaterStepsThanThoseOfTheGoodRunsAreNotCompared) {
  const std::string rule = Rule(1);
  Train({.seed = 9, .steps = 200, .gradients = 500, .since = 120});
  const RuleReport report = Evaluate(rule);
  EXPECT_TRUE(IsSilent(report));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(Says(report.notes[0], {"end at step 119"}));
}

TEST_F(OutsideBaselineTest, AnotherModelIsNotEvaluated) {
  const std::string rule = Rule(1);
  for (Step step = 0; step < 50; ++step) Save(step, "Other_a.weight", {1, 2, 3});
  const RuleReport report = Evaluate(rule);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_TRUE(Says(report.reason, {"none of the saved tensors is in the baseline", "good1"}));
}

TEST_F(OutsideBaselineTest, AShortRunIsNotEvaluated) {
  const std::string rule = Rule(1);
  Train({.seed = 9, .steps = 5, .gradients = 500});
  const RuleReport report = Evaluate(rule);
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_TRUE(Says(report.reason, {"8 steps"}));
}

TEST_F(OutsideBaselineTest, ValuesThatAreNotFiniteAreLeftToOthers) {
  const std::string rule = Rule(1);
  Train({.seed = 9, .gradients = NAN, .weights = INFINITY, .loss = NAN, .since = 30});
  EXPECT_TRUE(IsSilent(Evaluate(rule)));
}

TEST_F(OutsideBaselineTest, BadParametersAreRefused) {
  EXPECT_TRUE(Says(Refusal("OutsideBaseline"), {"OutsideBaseline", "set baseline"}));
  EXPECT_TRUE(Says(Refusal("OutsideBaseline:baseline=/no/such.json"), {"/no/such.json"}));
  const std::string file = folder_.Write("bad.json", "{}");
  EXPECT_TRUE(Says(Refusal("OutsideBaseline:baseline=" + file), {"bad.json", "not a baseline"}));
  const std::string rule = Rule(1);
  EXPECT_TRUE(Says(Refusal(rule + ";window=5"), {"min_steps is 8"}));
}

}  // namespace
}  // namespace warden::rules
