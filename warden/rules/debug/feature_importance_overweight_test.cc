#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class FeatureImportanceOverweightTest : public RuleTest {
 protected:
  void Weights(Step step, const std::vector<double>& weights, int worker = 0) {
    Tensors tensors;
    for (size_t i = 0; i < weights.size(); ++i) {
      const std::string feature = "f" + std::to_string(i);
      tensors["feature_importance/weight/" + feature] =
          MakeTensor<double>(DType::kFloat64, {1}, {weights[i]});
      tensors["feature_importance/gain/" + feature] = MakeTensor<double>(DType::kFloat64, {1}, {1});
    }
    Save(step, tensors, Mode::kGlobal, worker);
  }
};

TEST_F(FeatureImportanceOverweightTest, AddsUpTheMostImportantOnes) {
  Weights(0, {0.25, 0.125, 0.25, 0.125, 0.25});  // The three largest have exactly 0.75.
  Weights(1, {0.5, 0.0625, 0.25, 0.0625, 0.125});
  Weights(2, {0.2, 0.2, 0.2, 0.2, 0.2});
  const RuleReport report = Evaluate("FeatureImportanceOverweight:threshold=0.75");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 1);
  EXPECT_EQ(report.findings[0].last_step, 1);
  EXPECT_EQ(report.findings[0].value, 0.875);
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(report.findings[0].message,
            "the 3 most important of 5 features (feature_importance/weight/f0, "
            "feature_importance/weight/f2, feature_importance/weight/f4) hold 0.875 of the total "
            "importance (threshold 0.75) at step 1");
  EXPECT_EQ(report.coverage.tensors, 5);
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(FeatureImportanceOverweightTest, AModelOfFewFeaturesHasAllOfIt) {
  Weights(0, {0.5, 0.5});
  EXPECT_EQ(Evaluate("FeatureImportanceOverweight").findings.at(0).value, 1);
  EXPECT_TRUE(Evaluate("FeatureImportanceOverweight:nfeatures=1").findings.empty());
}

TEST_F(FeatureImportanceOverweightTest, NaNAndZeros) {
  Weights(0, {NAN, 0.5, 0.125, 0.125, 0.125, 0.125});
  Weights(1, {0, 0, 0, 0});
  Weights(2, {NAN});
  const RuleReport report = Evaluate("FeatureImportanceOverweight:threshold=0.7");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{0});
  EXPECT_EQ(report.findings[0].value, 0.75);
  EXPECT_EQ(report.findings[0].count, 1);
  EXPECT_EQ(report.coverage.steps, 2);
  EXPECT_EQ(report.notes.size(), 1u);
}

TEST_F(FeatureImportanceOverweightTest, EachWorkerIsEvaluated) {
  Manifest(2);
  Weights(0, {0.25, 0.25, 0.25, 0.25}, 0);
  Weights(0, {0.9, 0.1}, 1);
  const RuleReport report = Evaluate("FeatureImportanceOverweight");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(FeatureImportanceOverweightTest, OtherImportancesCanBeAskedFor) {
  Weights(0, {1, 0, 0, 0, 0});
  EXPECT_TRUE(
      Evaluate("FeatureImportanceOverweight:tensor_regex=importance/gain").findings.empty());
}

TEST_F(FeatureImportanceOverweightTest, NothingSaved) {
  Save(0, "fc.weight", {1});
  const RuleReport report = Evaluate("FeatureImportanceOverweight");
  EXPECT_EQ(report.reason,
            "no tensors matching '.*feature_importance/weight' were saved; check "
            "the pattern, or save the tensors with --include-regex");
}

TEST_F(FeatureImportanceOverweightTest, Refusals) {
  EXPECT_EQ(Refusal("FeatureImportanceOverweight:threshold=80"),
            "FeatureImportanceOverweight: threshold is '80'; expected a number from 0 to 1");
  EXPECT_EQ(Refusal("FeatureImportanceOverweight:nfeatures=2.5"),
            "FeatureImportanceOverweight: nfeatures is '2.5'; expected a positive integer");
}

}  // namespace
}  // namespace warden::rules
