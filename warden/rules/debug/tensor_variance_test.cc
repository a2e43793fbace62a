#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using TensorVarianceTest = RuleTest;

TEST_F(TensorVarianceTest, FiresBeyondEitherThreshold) {
  Save(0, "w", {1, 3});  // 1: the population's.
  Save(1, "w", {0, 4});  // 4.
  Save(2, "w", {1, 2});  // 0.25.
  const RuleReport report =
      Evaluate("TensorVariance:tensor_regex=w;max_threshold=1;min_threshold=1");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{1});  // Both are beyond, without a break.
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.findings[0].message, "w: variance 4 is above 1 at step 1");
  const RuleReport least = Evaluate("TensorVariance:tensor_regex=w;min_threshold=1");
  ASSERT_EQ(FiredAt(least), std::vector<Step>{2});
  EXPECT_EQ(least.findings[0].value, 0.25);
  EXPECT_EQ(least.findings[0].message, "w: variance 0.25 is below 1 at step 2");
  EXPECT_EQ(FiredAt(Evaluate("TensorVariance:tensor_regex=w;max_threshold=0.5")),
            std::vector<Step>{0});
}

TEST_F(TensorVarianceTest, IsOfTheFiniteValues) {
  Save(0, "w", {0, 4, NAN, INFINITY});
  Save(1, "w", {NAN});
  Save(2, "w", {});
  const RuleReport report = Evaluate("TensorVariance:tensor_regex=w;max_threshold=3.9");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "w: variance 4 is above 3.9 (2 of 4 values are not finite) at step 0");
  EXPECT_EQ(report.coverage.steps, 1);
  EXPECT_EQ(report.notes, std::vector<std::string>{"1 tensor skipped (first: w): no finite "
                                                   "values"});
}

TEST_F(TensorVarianceTest, ASavedVarianceIsTakenAsItIs) {
  Save(0, SavedReduction("w", "variance", 5));
  Save(1, SavedReduction("w", "std", 3));
  Save(2, SavedReduction("w", "mean", 3));
  const RuleReport report = Evaluate("TensorVariance:tensor_regex=w;max_threshold=4");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.findings[0].message,
            "w: variance 5 (saved sample variance) is above 4 at step 0");
}

TEST_F(TensorVarianceTest, WorkersAndModesApart) {
  Manifest(2);
  Save(0, "w.weight", {0, 0}, Mode::kEval, 0);
  Save(0, "w.weight", {0, 4}, Mode::kEval, 1);
  const RuleReport report = Evaluate("TensorVariance:collection_names=weights;max_threshold=1");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(report.findings[0].mode, Mode::kEval);
}

TEST_F(TensorVarianceTest, Refusals) {
  EXPECT_EQ(Refusal("TensorVariance:max_threshold=1"),
            "TensorVariance: no tensors selected; set collection_names or tensor_regex");
  EXPECT_EQ(Refusal("TensorVariance:tensor_regex=w"),
            "TensorVariance: no threshold set; set max_threshold or min_threshold");
  EXPECT_EQ(Refusal("TensorVariance:tensor_regex=w;max_threshold=1;min_threshold=2"),
            "TensorVariance: min_threshold is 2; expected at most max_threshold (1)");
  EXPECT_EQ(Refusal("TensorVariance:tensor_regex=w;max_threshold=-1"),
            "TensorVariance: max_threshold is '-1'; expected a non-negative number");
}

}  // namespace
}  // namespace warden::rules
