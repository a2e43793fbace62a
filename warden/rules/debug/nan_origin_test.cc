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

  // A step whose loss was scaled, with how many steps in a row the scaler has left out by then.
  void SaveScaled(Step step, double scale, double skipped, Tensors tensors) {
    tensors["training/loss_scale"] = MakeTensor<double>(DType::kFloat64, {1}, {scale});
    tensors["training/scaler_skipped"] = MakeTensor<double>(DType::kFloat64, {1}, {skipped});
    Save(step, tensors);
  }
  // 12 steps at which a scaler looks for its scale, which is 1024 in the end, and 8 that it does.
  void FindsItsScale() {
    for (Step step = 0; step < 20; ++step) {
      const bool skips = step < 12;
      SaveScaled(step, std::ldexp(1024, skips ? 12 - static_cast<int>(step) : 0),
                 skips ? static_cast<double>(step + 1) : 0,
                 {{"f1_output_0", Good()}, {"gradient/a", skips ? Bad() : Good()}});
    }
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
  EXPECT_EQ(report.findings[0].confidence, Confidence::kHigh);
  EXPECT_EQ(report.findings[0].spread,
            (std::vector<std::string>{"f2 (step 1)", "f3", "all weights (step 2)", "f1"}));
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
  EXPECT_EQ(report.findings[0].confidence, Confidence::kHigh);
  EXPECT_EQ(report.findings[0].spread,
            (std::vector<std::string>{"attention (step 1)", "all weights (step 2)"}));
}

TEST_F(NaNOriginTest, HowItSpread) {
  const auto step = [](const TestTensor& second, const TestTensor& others) {
    std::vector<std::pair<std::string, TestTensor>> tensors = {{"f1.weight", Good()}};
    for (const char* module : {"f1", "f2", "f3", "f4", "f5", "f6", "loss"}) {
      const bool is_second = module == std::string_view("f2");
      tensors.emplace_back(module + std::string("_output_0"), module == std::string_view("f1")
                                                                  ? Good()
                                                              : is_second ? second
                                                                          : others);
    }
    tensors.emplace_back("gradient/f2.weight", others);
    tensors.emplace_back("gradient/f1.weight", second);
    tensors.emplace_back("training/gradient_norm", second);
    return tensors;
  };
  SaveInOrder(0, step(Good(), Good()));
  SaveInOrder(1, step(Bad(), Good()));
  SaveInOrder(2, step(Bad(), Bad()));
  for (Step later = 3; later < 30; ++later) SaveInOrder(later, step(Bad(), Bad()));
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].spread,
            (std::vector<std::string>{"f2 (step 1)", "1 of 2 gradients", "f3 (step 2)", "f4",
                                      "2 more modules", "loss"}));
}

TEST_F(NaNOriginTest, ItIsFollowedForTenStepsOnly) {
  for (Step step = 0; step < 30; ++step) {
    Save(step, Tensors{{"f1_output_0", Bad()}, {"f2_output_0", step < 12 ? Good() : Bad()}});
  }
  EXPECT_TRUE(Evaluate("NaNOrigin").findings.at(0).spread.empty());
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

TEST_F(NaNOriginTest, AScalerThatLooksForItsScaleIsNoProblem) {
  FindsItsScale();
  // It tries a larger one now and then.
  for (Step step = 20; step < 40; ++step) {
    const bool skips = step == 25 || step == 26;
    SaveScaled(step, 2048, skips ? static_cast<double>(step - 24) : 0,
               {{"gradient/a", skips ? Bad() : Good()}});
  }
  const RuleReport report = Evaluate("NaNOrigin");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
}

TEST_F(NaNOriginTest, AScalerMayNotHaveSaidYetWhatItDoes) {
  for (Step step = 0; step < 20; ++step) {
    Save(step, Tensors{{"training/loss_scale", MakeTensor<double>(DType::kFloat64, {1}, {1024})},
                       {"gradient/a", step < 9 ? Bad() : Good()}});
  }
  EXPECT_TRUE(Evaluate("NaNOrigin").findings.empty());
}

TEST_F(NaNOriginTest, AScalerThatLeavesOutStepAfterStepIsStuck) {
  FindsItsScale();
  for (Step step = 20; step < 30; ++step) {
    SaveScaled(step, std::ldexp(1024, 20 - static_cast<int>(step)), static_cast<double>(step - 19),
               {{"f1_output_0", Good()}, {"gradient/a", Bad()}});
  }
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "gradient/a: first gradient in backward order with NaN or Inf, after 1 finite forward "
            "tensors; gradients are NaN or infinite at 5 steps in a row, which the loss scaler "
            "leaves out (scale 64) (1 of 2 values are not finite) at step 24");
}

TEST_F(NaNOriginTest, GradientsThatAreInfiniteWithoutAScaleAreAProblem) {
  FindsItsScale();
  SaveScaled(20, 1, 1, {{"gradient/a", Bad()}});
  SaveScaled(21, 0.5, 0, {{"gradient/a", Good()}});
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{20});
  EXPECT_NE(report.findings[0].message.find("at a loss scale of 1, so the scale is not the cause"),
            std::string::npos)
      << report.findings[0].message;
}

TEST_F(NaNOriginTest, AScalerIsStuckWhetherGradientsAreSavedOrNot) {
  FindsItsScale();
  for (Step step = 20; step < 27; ++step) {
    SaveScaled(step, 512, static_cast<double>(step - 19), {{"f1_output_0", Good()}});
  }
  SaveScaled(27, 512, 0, {{"gradient/a", Good()}});
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{24});
  EXPECT_EQ(report.findings[0].message,
            "gradients are NaN or infinite at 5 steps in a row, which the loss scaler leaves out "
            "(scale 512) at step 24");
}

TEST_F(NaNOriginTest, OfAScalerThatIsStuckWhatTheHookFoundSaysMore) {
  FindsItsScale();
  const std::string facts =
      R"json({"first_nan": {"step": 24, "phase": "backward", "tensor": "gradient/a",
              "what": "backward of Sqrt"}})json";
  for (Step step = 20; step < 30; ++step) {
    Tensors tensors = {{"f1_output_0", Good()}};
    if (step % 2 == 0) tensors["gradient/a"] = Bad();
    if (step == 24) {
      tensors["training/facts"] = {DType::kUInt8, {static_cast<int64_t>(facts.size())}, facts};
    }
    SaveScaled(step, 512, static_cast<double>(step - 19), tensors);
  }
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{24});
  EXPECT_EQ(report.findings[0].message, "gradient/a: backward of Sqrt at step 24");
}

TEST_F(NaNOriginTest, AScalerThatIsStuckAfterABadLossIsItsConsequence) {
  FindsItsScale();
  for (Step step = 20; step < 30; ++step) {
    Tensors tensors = {{"gradient/a", Bad()}};
    if (step == 20) tensors["f1_output_0"] = Bad();  // Later ones are not saved.
    SaveScaled(step, 512, static_cast<double>(step - 19), tensors);
  }
  EXPECT_EQ(FiredAt(Evaluate("NaNOrigin")), std::vector<Step>{20});
}

TEST_F(NaNOriginTest, AScalerExplainsNothingButGradients) {
  FindsItsScale();
  SaveScaled(20, 512, 1, {{"f1_output_0", Bad()}, {"gradient/a", Bad()}});
  const RuleReport report = Evaluate("NaNOrigin");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{20});
  EXPECT_EQ(report.findings[0].tensor, "f1_output_0");
}

TEST_F(NaNOriginTest, WithoutAScalerInfiniteGradientsAreAProblemAtOnce) {
  FindsItsScale();
  Save(20, Tensors{{"gradient/a", Bad()}});  // Another model is trained.
  EXPECT_EQ(FiredAt(Evaluate("NaNOrigin")), std::vector<Step>{20});
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
  const Finding finding = Evaluate("NaNOrigin").findings.at(0);
  EXPECT_EQ(finding.message,
            "f2_output_0: first output in forward order with NaN or Inf; its inputs were not "
            "saved, the output before it is finite (f1_output_0) (1 of 2 values are not finite) at "
            "step 0");
  EXPECT_EQ(finding.confidence, std::nullopt);
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
