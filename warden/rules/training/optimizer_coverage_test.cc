#include "warden/rules/training/training_for_test.h"

namespace warden::rules {
namespace {

class OptimizerCoverageTest : public TrainingTest {
 protected:
  // Ten steps of training, with these facts at the first.
  void Steps(const std::string& facts) {
    for (Step step = 0; step < 10; ++step) {
      Note(step, {{"optimizer_step", static_cast<double>(step + 1)}}, step == 0 ? facts : "");
    }
  }
};

TEST_F(OptimizerCoverageTest, FiresWhenTheOptimizerNeverSteps) {
  for (Step step = 0; step < 100; ++step) {
    Note(step, {{"backwards_since_step", static_cast<double>(step + 1)}},
         step == 0 ? R"({"backward_line": "train.py:20"})" : "");
  }
  const Finding finding = Only(Evaluate("OptimizerCoverage:backward_passes=40"));
  EXPECT_EQ(finding.step, 39);
  EXPECT_EQ(finding.last_step, 99);
  EXPECT_TRUE(Says(finding.message,
                   {"optimizer.step() is never called", "40 backward passes", "(train.py:20)"}));
  EXPECT_TRUE(Says(finding.advice, {"optimizer.step()"}));
}

TEST_F(OptimizerCoverageTest, FiresWhenNothingRunsBackward) {
  for (Step step = 0; step < 100; ++step) {
    LogNumbers numbers = {{"losses_without_backward", static_cast<double>(step + 1)}};
    if (step == 0) numbers["optimizers_created"] = 1;
    Note(step, numbers, step == 0 ? R"({"loss_line": "train.py:20"})" : "");
  }
  const Finding finding = Only(Evaluate("OptimizerCoverage:backward_passes=40"));
  EXPECT_EQ(finding.step, 39);
  EXPECT_TRUE(Says(finding.message, {"backward() is never called", "40 losses", "(train.py:20)"}));
}

TEST_F(OptimizerCoverageTest, LossesWithoutAnOptimizerOrBeforeTrainingAreFine) {
  for (Step step = 0; step < 60; ++step) {
    Note(step, {{"losses_without_backward", static_cast<double>(step + 1)}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, FiresWhenParametersAreNotInTheOptimizer) {
  Steps(R"({"not_in_optimizer": ["Net_head.weight", "Net_head.bias", "Net_out.weight"],
            "foreign_parameters": 0, "optimizers": [{"class": "SGD", "line": "train.py:12"}]})");
  const Finding finding = Only(Evaluate("OptimizerCoverage:steps=4"));
  EXPECT_EQ(finding.step, 3);
  EXPECT_EQ(finding.value, 3);
  EXPECT_TRUE(Says(finding.message,
                   {"no optimizer updates head.weight, head.bias and 1 more", "(train.py:12)"}));
}

TEST_F(OptimizerCoverageTest, FiresWhenTheModelChangedAfterTheOptimizerWasCreated) {
  Steps(R"({"not_in_optimizer": ["Net_head.weight"], "foreign_parameters": 2,
            "optimizers": [{"class": "SGD", "line": null}]})");
  const Finding finding = Only(Evaluate("OptimizerCoverage"));
  EXPECT_TRUE(Says(finding.message, {"head.weight", "replaced after the optimizer was created"}));
  EXPECT_TRUE(Says(finding.advice, {"after the last change of the model"}));
}

TEST_F(OptimizerCoverageTest, FiresWhenParametersNeverGetAGradient) {
  Steps(R"({"not_in_optimizer": [], "without_gradient": ["Net_stem.weight", "Net_stem.bias"]})");
  const Finding finding = Only(Evaluate("OptimizerCoverage:steps=4"));
  EXPECT_EQ(finding.step, 3);
  EXPECT_TRUE(Says(finding.message, {"stem.weight, stem.bias", "never get a gradient", "detach"}));
}

TEST_F(OptimizerCoverageTest, AHealthyTraining) {
  Steps(R"({"parameters": [["Net_a.weight", "Linear"]], "frozen": {}, "not_in_optimizer": [],
            "without_gradient": [], "foreign_parameters": 0,
            "optimizers": [{"class": "SGD", "line": "train.py:7", "weight_decay": 0.0}]})");
  EXPECT_EQ(Evaluate("OptimizerCoverage").status, RuleStatus::kNoIssuesFound);
}

TEST_F(OptimizerCoverageTest, ForeignParametersAloneAreAnotherModel) {
  Steps(R"({"not_in_optimizer": [], "without_gradient": [], "foreign_parameters": 12})");
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, AccumulationStepsNowAndThen) {
  for (Step step = 0; step < 160; ++step) {
    LogNumbers numbers = {{"backwards_since_step", static_cast<double>(step % 16 + 1)}};
    if (step % 16 == 15) numbers["optimizer_step"] = static_cast<double>(step / 16 + 1);
    Note(step, numbers);
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, BackwardPassesWithoutStepsAreFineOnceItHasStepped) {
  Note(0, {{"optimizer_step", 1}});
  for (Step step = 1; step < 100; ++step) {
    Note(step, {{"backwards_since_step", static_cast<double>(step)}});
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, ParametersThatAreAddedInTimeAreFine) {
  for (Step step = 0; step < 20; ++step) {
    const char* facts = step == 0   ? R"({"not_in_optimizer": ["Net_head.weight"]})"
                        : step == 2 ? R"({"not_in_optimizer": []})"
                                    : "";
    Note(step, {{"optimizer_step", static_cast<double>(step + 1)}}, facts);
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage:steps=4")));
}

TEST_F(OptimizerCoverageTest, BadInputIsLeftOut) {
  BadSteps({"optimizer_step", "backwards_since_step"});
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, FactsOfOtherTypesAreLeftOut) {
  Step step = 0;
  for (const std::string& facts : BadFacts()) {
    Note(step, {{"optimizer_step", static_cast<double>(100 + step)}}, facts);
    ++step;
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, GradientsThatAreClearedUnusedNeedFewPasses) {
  for (Step step = 0; step < 20; ++step) {
    Note(step, {{"backwards_since_step", static_cast<double>(step + 1)},
                {"cleared_without_step", static_cast<double>(step)}});
  }
  const Finding finding = Only(Evaluate("OptimizerCoverage"));
  EXPECT_EQ(finding.step, 5);
  EXPECT_TRUE(Says(finding.message, {"optimizer.step() is never called"}));
}

TEST_F(OptimizerCoverageTest, GradientsMayBeClearedBeforeTheFirstStep) {
  for (Step step = 0; step < 20; ++step) {
    LogNumbers numbers = {{"optimizer_step", static_cast<double>(step)}};
    if (step < 4) numbers = {{"cleared_without_step", static_cast<double>(step + 1)}};
    Note(step, numbers);
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

TEST_F(OptimizerCoverageTest, FiresWhenUpdatesAreRoundedAway) {
  for (Step step = 0; step < 60; ++step) {
    Note(step, {{"optimizer_step", static_cast<double>(step + 1)}, {"learning_rate", 0.001}},
         step == 0 ? R"({"rounded_away": ["Net_a.norm.weight", "Net_b.norm.weight"]})" : "");
  }
  const Finding finding = Only(Evaluate("OptimizerCoverage"));
  EXPECT_EQ(finding.step, 24);
  EXPECT_TRUE(Says(finding.message,
                   {"a.norm.weight, b.norm.weight", "never change", "bfloat16", "rounded away"}));
  EXPECT_TRUE(Says(finding.advice, {"float32"}));
}

TEST_F(OptimizerCoverageTest, WhileTheLearningRateRisesUpdatesMayBeTooSmall) {
  for (Step step = 0; step < 60; ++step) {
    Note(step,
         {{"optimizer_step", static_cast<double>(step + 1)},
          {"learning_rate", 1e-5 * static_cast<double>(step + 1)}},
         step == 0 ? R"({"rounded_away": ["Net_a.norm.weight", "Net_b.norm.weight"]})" : "");
  }
  EXPECT_TRUE(IsSilent(Evaluate("OptimizerCoverage")));
}

}  // namespace
}  // namespace warden::rules
