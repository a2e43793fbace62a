#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using DeadReluTest = RuleTest;

TEST_F(DeadReluTest, FiresWhenMoreThanTheShareOfUnitsIsDead) {
  // Two samples, four units. First two units dead: exactly 50 %, then three.
  Save(0, Tensors{{"relu_output_0", FloatTensor({2, 4}, {0, 0, 1, 1, 0, 0, 1, 1})}});
  Save(1, Tensors{{"net_relu_output_0", FloatTensor({2, 4}, {0, 0, 0, 1, 0, -1, 0, 0})}});
  const RuleReport report = Evaluate("DeadRelu");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 75);
  EXPECT_EQ(report.findings[0].threshold, 50);
  EXPECT_EQ(report.findings[0].message,
            "net_relu_output_0: 3 of 4 units are dead (75 %, threshold 50 %): above zero in less "
            "than 1 % of their values at step 1");
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(DeadReluTest, ActivityIsTheMeanOverTheSteps) {
  // Percentages of the only unit: 100, 0, 0: means 100, 50, 33.3.
  Save(0, Tensors{{"ReLU_output_0", FloatTensor({1, 1}, {1})}});
  Save(1, Tensors{{"ReLU_output_0", FloatTensor({3, 1}, {0, 0, 0})}});
  Save(2, Tensors{{"ReLU_output_0", FloatTensor({1, 1}, {0})}});
  EXPECT_EQ(FiredAt(Evaluate("DeadRelu:threshold_inactivity=50")), std::vector<Step>{2});
  EXPECT_EQ(FiredAt(Evaluate("DeadRelu:threshold_inactivity=50.1")), std::vector<Step>{1});
}

TEST_F(DeadReluTest, ChannelsAreUnitsAndNotTheirPositions) {
  // Channel 0 is active at one of four positions: 25 %.
  Save(0, Tensors{{"relu_output_0", FloatTensor({1, 2, 2, 2}, {1, 0, 0, 0, 0, 0, 0, 0})}});
  EXPECT_EQ(Evaluate("DeadRelu").status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(FiredAt(Evaluate("DeadRelu:threshold_inactivity=25.1")), std::vector<Step>{0});
  EXPECT_EQ(FiredAt(Evaluate("DeadRelu:threshold_layer=49")), std::vector<Step>{0});
}

TEST_F(DeadReluTest, EachModeHasItsOwnPast) {
  Save(0, "relu_output_0", {1}, Mode::kTrain);
  Save(1, "relu_output_0", {0}, Mode::kEval);
  const RuleReport report = Evaluate("DeadRelu");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].mode, Mode::kEval);
}

TEST_F(DeadReluTest, PercentagesAreOfTheFiniteValues) {
  // Unit 0: 1 of 2 finite ones; unit 1: none finite, so that it does not count.
  Save(0, Tensors{{"relu_output_0", FloatTensor({3, 2}, {1, NAN, 0, NAN, INFINITY, NAN})}});
  EXPECT_EQ(Evaluate("DeadRelu:threshold_inactivity=50").status, RuleStatus::kNoIssuesFound);
  const RuleReport report = Evaluate("DeadRelu:threshold_inactivity=51");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "relu_output_0: 1 of 1 units are dead (100 %, threshold 50 %): above zero in less than "
            "51 % of their values (4 of 6 values are not finite) at step 0");
}

TEST_F(DeadReluTest, SkipsWhatCannotBeEvaluated) {
  Save(0, "relu_output_0", {NAN});
  Save(1, "relu_output_0", {});
  EXPECT_EQ(Evaluate("DeadRelu").reason, "all matching tensors were skipped: no finite values");
}

TEST_F(DeadReluTest, NeedsTheValues) {
  Save(0, SavedReduction("relu_output_0", "max", 0));
  const RuleReport report = Evaluate("DeadRelu");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason,
            "all matching tensors were skipped: full tensors were not saved; add --reductions "
            "none");
}

TEST_F(DeadReluTest, FindsLayersByRoleOrByWhatItIsTold) {
  Manifest(2, {{"relu_output", {"net.1_output_"}}});
  for (const int worker : {0, 1}) {
    Save(0,
         Tensors{{"net.1_output_0", FloatTensor({1}, {worker == 1 ? 0.f : 1.f})},
                 {"act_out", FloatTensor({1}, {0})}},
         Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate("DeadRelu");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(Evaluate("dead_relu:tensor_regex=act").findings.size(), 2u);
  EXPECT_EQ(Evaluate("DeadRelu:tensor_regex=nothing").reason,
            "no tensors matching 'nothing' were "
            "saved; check the pattern, or save the "
            "tensors with --include-regex");
}

TEST_F(DeadReluTest, Refusals) {
  EXPECT_EQ(Refusal("DeadRelu:threshold_layer=101"),
            "DeadRelu: threshold_layer is '101'; expected a number from 0 to 100");
}

}  // namespace
}  // namespace warden::rules
