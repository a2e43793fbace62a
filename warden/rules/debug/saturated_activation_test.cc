#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using SaturatedActivationTest = RuleTest;

TEST_F(SaturatedActivationTest, EachKindHasItsOwnLimits) {
  Save(0, Tensors{{"tanh_input_0", FloatTensor({1, 2}, {9.4f, 10})},    // One of two: not more.
                  {"sigmoid_input_0", FloatTensor({1, 2}, {10, -22})},  // Inside.
                  {"net_Tanh_input_0", FloatTensor({1, 2}, {10, -9.5f})},
                  {"net_Sigmoid_input_0", FloatTensor({1, 2}, {17, -23})}});
  const RuleReport report = Evaluate("SaturatedActivation");
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].tensor, "net_Sigmoid_input_0");
  EXPECT_EQ(report.findings[1].tensor, "net_Tanh_input_0");
  EXPECT_EQ(report.findings[1].value, 100);
  EXPECT_EQ(report.findings[1].message,
            "net_Tanh_input_0: 2 of 2 units are saturated (100 %, threshold 50 %): less than 1 % "
            "of their inputs are between -9.4999 and 9.4999, the active range of tanh at step 0");
  EXPECT_EQ(report.coverage.tensors, 4);
}

TEST_F(SaturatedActivationTest, LimitsThemselvesAreOutside) {
  Save(0, "tanh_input_0", {1, -1});
  EXPECT_EQ(FiredAt(Evaluate("SaturatedActivation:threshold_tanh_min=-1;threshold_tanh_max=1")),
            std::vector<Step>{0});
  EXPECT_TRUE(Evaluate("SaturatedActivation:threshold_tanh_min=-1.1;threshold_tanh_max=1.1")
                  .findings.empty());
}

TEST_F(SaturatedActivationTest, AUnitIsEvaluatedByTheShareOfItsInputsAtThisStepAlone) {
  // One of four inside: 25 %.
  Save(0, Tensors{{"tanh_input_0", FloatTensor({4, 1}, {0, 20, 20, 20})}});
  Save(1, Tensors{{"tanh_input_0", FloatTensor({4, 1}, {20, 20, 20, 20})}});
  EXPECT_EQ(FiredAt(Evaluate("SaturatedActivation:threshold_inactivity=25")), std::vector<Step>{1});
  EXPECT_EQ(FiredAt(Evaluate("SaturatedActivation:threshold_inactivity=25.5")),
            std::vector<Step>{0});
}

TEST_F(SaturatedActivationTest, WhatTellsNeitherKindIsSkipped) {
  Save(0, "gate_input_0", {12});
  const RuleReport report = Evaluate("SaturatedActivation:tensor_regex=gate");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason,
            "all matching tensors were skipped: name contains neither tanh nor sigmoid");
  // Limits of one kind only: then it is that.
  EXPECT_EQ(Evaluate("SaturatedActivation:tensor_regex=gate;threshold_tanh_max=9").findings.size(),
            1u);
  EXPECT_EQ(
      Evaluate("SaturatedActivation:tensor_regex=gate;threshold_sigmoid_max=13").findings.size(),
      0u);
  EXPECT_EQ(Evaluate("SaturatedActivation:tensor_regex=gate;threshold_tanh_max=9;"
                     "threshold_sigmoid_max=13")
                .status,
            RuleStatus::kNotEvaluated);
}

TEST_F(SaturatedActivationTest, RolesSayTheKind) {
  Manifest(2, {{"tanh_input", {"net.1_input_"}}, {"sigmoid_input", {"net.2_input_"}}});
  for (const int worker : {0, 1}) {
    Save(0,
         Tensors{{"net.1_input_0", FloatTensor({1}, {12})},
                 {"net.2_input_0", FloatTensor({1}, {worker == 0 ? 12.f : -30.f})}},
         Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate("SaturatedActivation");
  ASSERT_EQ(report.findings.size(), 3u);
  EXPECT_EQ(report.findings[2].tensor, "net.2_input_0");
  EXPECT_EQ(report.findings[2].worker, "worker_1");
}

TEST_F(SaturatedActivationTest, PercentagesAreOfTheFiniteValues) {
  Save(0, Tensors{{"tanh_input_0", FloatTensor({3, 2}, {NAN, NAN, 0, NAN, INFINITY, NAN})}});
  EXPECT_EQ(Evaluate("SaturatedActivation").status, RuleStatus::kNoIssuesFound);
  Save(1, "tanh_input_0", {INFINITY});
  const RuleReport report = Evaluate("SaturatedActivation:start_step=1");
  EXPECT_EQ(report.reason, "all matching tensors were skipped: no finite values");
}

TEST_F(SaturatedActivationTest, NeedsTheValues) {
  Save(0, SavedReduction("tanh_input_0", "min", 50));
  EXPECT_EQ(Evaluate("SaturatedActivation").reason,
            "all matching tensors were skipped: full tensors were not saved; add --reductions "
            "none");
}

TEST_F(SaturatedActivationTest, Refusals) {
  EXPECT_EQ(Refusal("SaturatedActivation:threshold_tanh_min=10"),
            "SaturatedActivation: threshold_tanh_min is 10; expected a value below "
            "threshold_tanh_max (9.4999)");
  EXPECT_EQ(Refusal("SaturatedActivation:threshold_sigmoid_max=-23"),
            "SaturatedActivation: threshold_sigmoid_min is -23; expected a value below "
            "threshold_sigmoid_max (-23)");
}

}  // namespace
}  // namespace warden::rules
