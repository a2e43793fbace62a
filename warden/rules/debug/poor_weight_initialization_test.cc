#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class PoorWeightInitializationTest : public RuleTest {
 protected:
  // 21 values from 0 to 20 steps of this size: p95 - p5 is 18 of them.
  static TestTensor Gradient(float size) {
    std::vector<float> values;
    for (int i = 0; i <= 20; ++i) values.push_back(static_cast<float>(i) * size);
    return FloatTensor({21}, values);
  }
  static Tensors Losing(float loss, float size) {
    return {{"CrossEntropyLoss_output_0", FloatTensor({}, {loss})},
            {"gradient/fc.weight", Gradient(size)}};
  }
};

constexpr const char* kWeightsRule = "PoorWeightInitialization";

TEST_F(PoorWeightInitializationTest, VariancesOfActivationInputsMayDifferByTheThreshold) {
  // Variances 1 and 9, then 1 and 16.
  Save(0, Tensors{{"a_relu_input_0", FloatTensor({2}, {1, 3})},
                  {"b_relu_input_0", FloatTensor({2}, {0, 6})}});
  Save(1, Tensors{{"a_relu_input_0", FloatTensor({2}, {1, 3})},
                  {"b_ReLU_input_0", FloatTensor({2}, {0, 8})}});
  const RuleReport report = Evaluate("PoorWeightInitialization:threshold=9");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].value, 16);
  EXPECT_EQ(report.findings[0].message,
            "b_ReLU_input_0: variance 16 is 16 times the variance 1 of a_relu_input_0 (threshold "
            "9) at step 1");
  EXPECT_EQ(report.coverage.tensors, 3);
  EXPECT_EQ(FiredAt(Evaluate("PoorWeightInitialization:threshold=8.9")), (std::vector<Step>{0, 1}));
}

TEST_F(PoorWeightInitializationTest, AZeroVarianceIsAnInfiniteRatio) {
  Manifest(2, {{"relu_input", {"net."}}});
  for (const int worker : {0, 1}) {
    Save(0,
         Tensors{{"net.1_input_0", FloatTensor({2}, {1, worker == 0 ? 1.f : 2.f})},
                 {"net.3_input_0", FloatTensor({2}, {1, 2})}},
         Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate(kWeightsRule);
  ASSERT_EQ(report.findings.size(), 1u);  // Layers are compared within a worker.
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(report.findings[0].value, INFINITY);
}

TEST_F(PoorWeightInitializationTest, OneLayerAloneIsNotCompared) {
  Save(0, "relu_input_0", {1, 1});
  EXPECT_EQ(Evaluate(kWeightsRule).reason,
            "all matching tensors were skipped: no second layer to compare with");
}

TEST_F(PoorWeightInitializationTest, SmallGradientsCountOnlyWhileTheLossStalls) {
  const std::vector<float> losses = {1.0f, 0.9f, 0.9f, 0.95f, 0.8f, 0.8f};
  for (Step step = 0; step < std::ssize(losses); ++step) {
    Save(step, Losing(losses[static_cast<size_t>(step)], 1e-6f));
  }
  const RuleReport report = Evaluate("PoorWeightInitialization:patience=2");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{3});
  EXPECT_EQ(report.findings[0].count, 1);
  EXPECT_EQ(report.findings[0].message,
            "gradient/fc.weight: spread p95 - p5 1.8e-05 is below 0.001 and loss has not fallen "
            "below 0.9 for 2 saved steps at step 3");
  EXPECT_EQ(Evaluate("PoorWeightInitialization:patience=3").status, RuleStatus::kNoIssuesFound);
}

TEST_F(PoorWeightInitializationTest, WideGradientsAreFineWhateverTheLoss) {
  for (Step step = 0; step < 8; ++step) Save(step, Losing(1, 1));
  EXPECT_EQ(Evaluate(kWeightsRule).status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(Evaluate("PoorWeightInitialization:distribution_range=18").findings.size(), 0u);
  EXPECT_EQ(FiredAt(Evaluate("PoorWeightInitialization:distribution_range=18.1")),
            std::vector<Step>{5});
}

TEST_F(PoorWeightInitializationTest, EitherHalfAloneFiresToTheLetter) {
  for (Step step = 0; step < 6; ++step) Save(step, Losing(1, 1));
  Save(6, Losing(0.5f, 1e-6f));
  const RuleReport report = Evaluate("PoorWeightInitialization:compat_any=True");
  ASSERT_EQ(FiredAt(report), (std::vector<Step>{5, 6}));
  EXPECT_EQ(report.findings[0].message,
            "CrossEntropyLoss_output_0: loss has not fallen below 1 for 5 saved steps at step 5");
  EXPECT_EQ(report.findings[1].message,
            "gradient/fc.weight: spread p95 - p5 1.8e-05 is below 0.001 at step 6");
}

TEST_F(PoorWeightInitializationTest, WithoutALossGradientsDecideAlone) {
  Save(0, "gradient/a", {1, 1, NAN});
  Save(1, SavedReduction("gradient/b", "min", 1));
  auto extremes = SavedReduction("gradient/c", "min", 1);
  extremes.merge(SavedReduction("gradient/c", "max", 1.0005f));
  extremes.merge(SavedReduction("gradient/d", "min", 1));
  extremes.merge(SavedReduction("gradient/d", "max", 2));  // Says nothing of the percentiles.
  Save(2, extremes);
  const RuleReport report = Evaluate(kWeightsRule);
  ASSERT_EQ(FiredAt(report), (std::vector<Step>{0, 2}));
  EXPECT_EQ(report.findings[0].message,
            "gradient/a: spread p95 - p5 0 is below 0.001 (1 of 3 values are not finite) at step "
            "0");
  EXPECT_EQ(report.findings[1].tensor, "gradient/c");
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(PoorWeightInitializationTest, EqualRowsAreASymmetryThatTrainingDoesNotBreak) {
  Save(0, Tensors{{"a.weight", FloatTensor({3, 2}, {1, 2, 1, 2, 1, 2})},
                  {"b.weight", FloatTensor({3, 2}, {1, 2, 1, 2, 1, 3})},
                  {"c.weight", FloatTensor({2, 1}, {1, 1})},        // One weight for each unit.
                  {"d.weight", FloatTensor({1, 4}, {1, 1, 1, 1})},  // One unit.
                  {"e.weight", FloatTensor({4}, {1, 1, 1, 1})},
                  {"f.weight", FloatTensor({2, 2}, {NAN, NAN, NAN, NAN})},
                  {"g.weight", FloatTensor({2, 1, 2}, {0, 0, 0, 0})}});
  const RuleReport report = Evaluate(kWeightsRule);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].message,
            "a.weight: all 3 rows are equal, so all units learn the same at step 0");
  EXPECT_EQ(report.findings[1].tensor, "g.weight");
  EXPECT_EQ(report.coverage.tensors, 3);
}

TEST_F(PoorWeightInitializationTest, FindingsOfAStepAreInTheOrderOfNames) {
  Save(0, Tensors{{"z_relu_input_0", FloatTensor({2}, {1, 3})},
                  {"y_relu_input_0", FloatTensor({2}, {1, 1})},
                  {"gradient/b.weight", FloatTensor({2}, {1, 1})},
                  {"a.weight", FloatTensor({2, 2}, {1, 1, 1, 1})}});
  std::vector<std::string> tensors;
  for (const Finding& finding : Evaluate(kWeightsRule).findings) tensors.push_back(finding.tensor);
  EXPECT_EQ(tensors, (std::vector<std::string>{"a.weight", "gradient/b.weight", "z_relu_input_0"}));
}

TEST_F(PoorWeightInitializationTest, OnlyTheFirstStepsOfTrainingAreEvaluated) {
  const TestTensor good = FloatTensor({2, 2}, {1, 2, 3, 4});
  const TestTensor bad = FloatTensor({2, 2}, {1, 2, 1, 2});
  Save(0, Tensors{{"a.weight", bad}}, Mode::kEval);
  Save(10, Tensors{{"a.weight", good}});
  Save(20, Tensors{{"a.weight", good}});
  Save(30, Tensors{{"a.weight", bad}});
  EXPECT_EQ(Evaluate("PoorWeightInitialization:steps=2").status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(FiredAt(Evaluate("PoorWeightInitialization:steps=3")), std::vector<Step>{30});
}

TEST_F(PoorWeightInitializationTest, LossesThatAreNotFiniteAreSkipped) {
  for (Step step = 0; step < 7; ++step) Save(step, Losing(step == 3 ? NAN : 1, 1e-6f));
  const RuleReport report = Evaluate(kWeightsRule);
  EXPECT_EQ(FiredAt(report), std::vector<Step>{6});
  EXPECT_EQ(report.notes.size(), 1u);
}

TEST_F(PoorWeightInitializationTest, Refusals) {
  EXPECT_EQ(Refusal("PoorWeightInitialization:steps=0"),
            "PoorWeightInitialization: steps is '0'; expected a positive integer");
}

}  // namespace
}  // namespace warden::rules
