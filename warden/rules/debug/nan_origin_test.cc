#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

// Save puts tensors into the file by their names: weights (Net_...), modules (f1, f2), gradients.
class NaNOriginTest : public RuleTest {
 protected:
  void SaveInOrder(Step step, const std::vector<std::pair<std::string, TestTensor>>& tensors) {
    format::IndexFile index;
    index.mode = Mode::kTrain;
    index.mode_step = step;
    const std::string event_key = format::EventFileKey(step, "worker_0");
    index.event_file = event_key;
    std::string events;
    for (const auto& [name, value] : tensors) {
      const size_t start = events.size();
      std::string head, tail;
      format::EncodeTensorRecord({1.0, step, name, index.mode, index.mode_step, value.dtype,
                                  value.shape, value.bytes.size()},
                                 &head, &tail);
      events += head + value.bytes + tail;
      index.entries.push_back({name, start, events.size() - start});
    }
    builder_.Put(event_key, events);
    builder_.Put(format::IndexFileKey(step, "worker_0"), format::EncodeIndexFile(index));
  }

  static TestTensor Good() { return FloatTensor({2}, {1, 2}); }
  static TestTensor Bad() { return FloatTensor({2}, {1, NAN}); }
};

TEST_F(NaNOriginTest, NamesTheFirstModuleThatMadeIt) {
  Tensors step = {{"Net_f1.weight", Good()}, {"f1_input_0", Good()},  {"f1_output_0", Good()},
                  {"f2_input_0", Good()},    {"f2_output_0", Good()}, {"f3_input_0", Good()},
                  {"f3_output_0", Good()}};
  Save(0, step);
  step["f2_output_0"] = step["f3_input_0"] = step["f3_output_0"] = Bad();
  Save(1, step);
  step["Net_f1.weight"] = step["f1_output_0"] = Bad();
  Save(2, step);
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 1);
  EXPECT_EQ(report.findings[0].tensor, "f2_output_0");
  EXPECT_EQ(report.findings[0].value, 1);
  EXPECT_EQ(report.findings[0].message,
            "f2_output_0: first output in forward order with NaN or Inf; its inputs are finite "
            "(f2_input_0) (1 of 2 values are not finite) at step 1");
  EXPECT_EQ(report.coverage.tensors, 7);
}

TEST_F(NaNOriginTest, TheOrderIsThatOfSavingAndNotOfNames) {
  SaveInOrder(
      0,
      {{"z_input_0", Good()}, {"z_output_0", Bad()}, {"a_input_0", Good()}, {"a_output_0", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).tensor, "z_output_0");
  SaveInOrder(0, {{"gradient/z", Bad()}, {"gradient/a", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).tensor, "gradient/z");
}

TEST_F(NaNOriginTest, AWeightThatWasSoBefore) {
  Save(0, Tensors{{"Net_f1.weight", Bad()}, {"f1_input_0", Good()}, {"f1_output_0", Bad()}});
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "Net_f1.weight: first tensor of this step with NaN or Inf (1 of 2 values are not "
            "finite) at step 0");
}

TEST_F(NaNOriginTest, AWeightThatBecameSoAfterwardsIsAConsequence) {
  Save(0, Tensors{{"f1_input_0", Good()}, {"f1_output_0", Bad()}, {"net_weight", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).tensor, "f1_output_0");
}

TEST_F(NaNOriginTest, WhatTheHookFoundSaysMore) {
  const std::string facts =
      R"json({"first_nan": {"step": 1, "phase": "forward", "tensor": "attention_output_0",
              "worker": "worker_1", "what": "softmax in the forward pass of Attention"}})json";
  const TestTensor saved{DType::kUInt8, {static_cast<int64_t>(facts.size())}, facts};
  Save(0, Tensors{{"Net_f1.weight", Good()}});
  Save(1, Tensors{{"Net_f1.weight", Good()}, {"training/facts", saved}});
  // Both are consequences, and facts are saved again.
  Save(2, Tensors{{"Net_f1.weight", Bad()}});
  Save(3, Tensors{{"Net_f1.weight", Bad()}, {"training/facts", saved}});
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 1);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(report.findings[0].tensor, "attention_output_0");
  EXPECT_NE(report.findings[0].message.find("softmax in the forward pass of Attention"),
            std::string::npos);
}

TEST_F(NaNOriginTest, FactsOfOtherShapesAreIgnored) {
  for (const char* text : {"{", R"({"first_nan": 3})", R"({"first_nan": {"what": "x"}})"}) {
    const std::string facts = text;
    const TestTensor saved{DType::kUInt8, {static_cast<int64_t>(facts.size())}, facts};
    Save(0, Tensors{{"training/facts", saved}, {"w", Good()}});
    EXPECT_TRUE(Evaluate("NaNOrigin").findings.empty()) << facts;
  }
}

TEST_F(NaNOriginTest, TheFirstGradientInBackwardOrder) {
  Save(0, Tensors{{"f1_input_0", Good()},
                  {"f1_output_0", Good()},
                  {"gradient/a", Good()},
                  {"gradient/b", Bad()},
                  {"gradient/c", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).message,
            "gradient/b: first gradient in backward order with NaN or Inf, after 2 finite forward "
            "tensors (1 of 2 values are not finite) at step 0");
  EXPECT_EQ(Evaluate("NaNOrigin:collection_names=gradients").findings.at(0).message,
            "gradient/b: first gradient in backward order with NaN or Inf, no forward tensors "
            "saved (1 of 2 values are not finite) at step 0");
}

TEST_F(NaNOriginTest, TheDataItself) {
  Save(0, Tensors{{"f1_input_0", Bad()}, {"f1_output_0", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).message,
            "f1_input_0: model input with NaN or Inf, before any module output (1 of 2 values are "
            "not finite) at step 0");
}

TEST_F(NaNOriginTest, BetweenTwoModulesTheOneAroundThemIsNamed) {
  Save(0, Tensors{{"f1_input_0", Good()},
                  {"f1_output_0", Good()},
                  {"f2_input_0", Bad()},
                  {"f2_output_0", Bad()},
                  {"net_input_0", Good()},
                  {"net_output_0", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).message,
            "net_output_0: first output in forward order with NaN or Inf; its inputs are finite "
            "(net_input_0); inside it, f2_input_0 was first (1 of 2 values are not finite) at step "
            "0");
}

TEST_F(NaNOriginTest, WithoutInputsTheOutputBeforeIsNamed) {
  Save(0, Tensors{{"f1_output_0", Good()}, {"f2_output_0", Bad()}, {"f3_output_0", Bad()}});
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).message,
            "f2_output_0: first output in forward order with NaN or Inf; its inputs were not "
            "saved, the output before it is finite (f1_output_0) (1 of 2 values are not finite) at "
            "step 0");
}

TEST_F(NaNOriginTest, ItCanBeginAgainOnceAllIsFinite) {
  for (const Step step : {0, 1, 2, 3, 4}) {
    const bool bad = step == 1 || step == 2 || step == 4;
    Save(step, Tensors{{"gradient/a", bad ? Bad() : Good()}});
  }
  EXPECT_EQ(FiredAt(Evaluate("NaNOrigin")), (std::vector<Step>{1, 4}));
}

TEST_F(NaNOriginTest, EvaluationInBetweenIsNoNewBeginning) {
  Save(0, Tensors{{"gradient/a", Bad()}});
  Save(1, Tensors{{"f_output_0", Good()}}, Mode::kEval);
  Save(2, Tensors{{"gradient/a", Bad()}});
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{0});
  EXPECT_EQ(report.findings[0].count, 1);
}

TEST_F(NaNOriginTest, EachWorkerHasItsOwn) {
  Manifest(2);
  Save(0, Tensors{{"gradient/a", Good()}}, Mode::kTrain, 0);
  Save(0, Tensors{{"gradient/a", Bad()}}, Mode::kTrain, 1);
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(NaNOriginTest, FindingsOfAStepAreInTheOrderOfNames) {
  Manifest(2);
  Save(0, Tensors{{"gradient/b", Bad()}}, Mode::kTrain, 0);
  Save(0, Tensors{{"gradient/a", Bad()}}, Mode::kTrain, 1);
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].tensor, "gradient/a");
}

TEST_F(NaNOriginTest, SavedReductionsWillDo) {
  Save(0, SavedReduction("f1_output_0", "max", INFINITY));
  EXPECT_EQ(Evaluate("NaNOrigin").findings.at(0).message,
            "f1_output_0: first output in forward order with NaN or Inf; its inputs were not saved "
            "at step 0");
  Save(0, SavedReduction("f1_output_0", "std", 1));
  EXPECT_EQ(Evaluate("NaNOrigin").reason,
            "all matching tensors were skipped: the saved statistics are not enough; save full "
            "tensors (--reductions none)");
}

TEST_F(NaNOriginTest, Refusals) {
  EXPECT_EQ(Refusal("NaNOrigin:tensor_regex=("),
            "NaNOrigin: tensor_regex is " + Pattern::Compile("(").status().message());
}

TEST_F(NaNOriginTest, LeavesOfTreesHaveNoSplit) {
  Manifest(1, {}, config::Framework::kXgBoost);
  Save(0, {{"trees/Split", FloatTensor({2}, {0.5F, NAN})}, {"labels", FloatTensor({1}, {1})}},
       Mode::kGlobal);
  EXPECT_EQ(Evaluate("NaNOrigin").status, RuleStatus::kNoIssuesFound);
  Save(1, {{"train-rmse", FloatTensor({1}, {NAN})}}, Mode::kGlobal);
  EXPECT_EQ(FiredAt(Evaluate("NaNOrigin")), std::vector<Step>{1});
}

}  // namespace
}  // namespace warden::rules
