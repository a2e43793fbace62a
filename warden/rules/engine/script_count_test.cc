#include "warden/rules/engine/script_count.h"

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class ScriptCountTest : public RuleTest {
 protected:
  // Every other step makes an optimizer step, as with gradient accumulation.
  void SaveAccumulation(Step steps) {
    for (Step step = 0; step < steps; ++step) {
      Tensors tensors = {{"gradient/a", FloatTensor({1}, {step < 5 ? 1.0f : 0.0f})},
                         {"training/epoch", FloatTensor({1}, {step < 4 ? 1.0f : 2.0f})}};
      if (step % 2 == 1) {
        const auto count = static_cast<float>(step / 2 + 1);
        tensors.emplace("training/optimizer_step", FloatTensor({1}, {count}));
      }
      Save(step, tensors);
    }
  }
};

TEST_F(ScriptCountTest, FindingsSayHowTheScriptCounts) {
  SaveAccumulation(8);
  const RuleReport report = Evaluate("AllZero:collection_names=gradients");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 5);
  EXPECT_EQ(report.findings[0].optimizer_step, 3);
  EXPECT_EQ(report.findings[0].epoch, 2);
  EXPECT_EQ(StepText(report.findings[0]), "step 5 (optimizer step 3, epoch 2)");
}

TEST_F(ScriptCountTest, TheLastCountHoldsUntilTheNext) {
  SaveAccumulation(4);
  Save(4, "gradient/a", {0});
  const RuleReport report = Evaluate("AllZero:collection_names=gradients");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].optimizer_step, 2);
  EXPECT_EQ(report.findings[0].epoch, 1);
}

TEST_F(ScriptCountTest, StepsThatWereLeftOutAreCounted) {
  for (Step step = 0; step < 60; ++step) {
    Tensors tensors = {{"gradient/a", FloatTensor({1}, {step < 50 ? 1.0f : 0.0f})}};
    if (step % 20 == 0) {
      tensors.emplace("training/optimizer_step", FloatTensor({1}, {static_cast<float>(step + 1)}));
    }
    Save(step, tensors);
  }
  const RuleReport report = Evaluate("AllZero:collection_names=gradients");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 50);
  EXPECT_EQ(report.findings[0].optimizer_step, 51);
  EXPECT_EQ(StepText(report.findings[0]), "step 50");
}

TEST_F(ScriptCountTest, AnOptimizerThatHasStoppedIsNotCountedOn) {
  for (Step step = 0; step < 200; ++step) {
    Tensors tensors = {{"gradient/a", FloatTensor({1}, {step < 190 ? 1.0f : 0.0f})}};
    if (step <= 20) {
      tensors.emplace("training/optimizer_step", FloatTensor({1}, {static_cast<float>(step + 1)}));
    }
    Save(step, tensors);
  }
  const RuleReport report = Evaluate("AllZero:collection_names=gradients");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].optimizer_step, 21);
}

TEST_F(ScriptCountTest, RunsWithoutTheTrainingLoopHaveNone) {
  Save(0, "gradient/a", {0});
  const RuleReport report = Evaluate("AllZero:collection_names=gradients");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].optimizer_step, std::nullopt);
  EXPECT_EQ(report.findings[0].epoch, std::nullopt);
}

}  // namespace
}  // namespace warden::rules
