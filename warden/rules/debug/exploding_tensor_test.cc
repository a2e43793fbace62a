#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using ExplodingTensorTest = RuleTest;

TEST_F(ExplodingTensorTest, FiresForWhatIsNotFiniteWhereverItIs) {
  Save(0, Tensors{{"a", FloatTensor({2}, {1, 1e30f})}, {"b", FloatTensor({2}, {0, 1})}});
  Save(1, Tensors{{"a", FloatTensor({4}, {NAN, 1, NAN, INFINITY})},
                  {"b", FloatTensor({2}, {0, -INFINITY})}});
  const RuleReport report = Evaluate("ExplodingTensor");
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound);
  EXPECT_EQ(FiredAt(report), (std::vector<Step>{1, 1}));
  EXPECT_EQ(report.findings[0].tensor, "a");
  EXPECT_EQ(report.findings[0].value, 3);
  EXPECT_EQ(report.findings[0].message,
            "a: contains 2 NaN and 1 Inf (3 of 4 values are not finite) at step 1");
  EXPECT_EQ(report.findings[1].message,
            "b: contains 1 Inf (1 of 2 values are not finite) at step "
            "1");
  EXPECT_EQ(report.coverage.tensors, 2);
  EXPECT_EQ(report.coverage.steps, 2);
}

TEST_F(ExplodingTensorTest, OnlyNaNLeavesInfinitiesAlone) {
  Save(0, "a", {INFINITY, 1});
  Save(1, "a", {INFINITY, NAN});
  const RuleReport report = Evaluate("exploding_tensor:only_nan=True");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].value, 1);
}

TEST_F(ExplodingTensorTest, EvaluatesTensorsWithoutAnyFiniteValueAndEmptyOnes) {
  Save(0, "a", {});
  Save(1, "a", {NAN});
  const RuleReport report = Evaluate("ExplodingTensor");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.coverage.steps, 2);
}

TEST_F(ExplodingTensorTest, SavedReductionsAreProof) {
  Save(0, SavedReduction("a", "max", 3));  // There may be -infinity.
  Save(1, SavedReduction("a", "mean", 3));
  Save(2, SavedReduction("a", "mean", INFINITY));
  Save(3, SavedReduction("a", "min", NAN));
  Save(4, SavedReduction("a", "mean", NAN));
  const RuleReport all = Evaluate("ExplodingTensor");
  EXPECT_EQ(FiredAt(all), std::vector<Step>{2});
  EXPECT_EQ(all.findings[0].count, 3);
  EXPECT_EQ(all.findings[0].message, "a: contains NaN or Inf at step 2");

  const RuleReport nan = Evaluate("ExplodingTensor:only_nan=True");
  EXPECT_EQ(FiredAt(nan), std::vector<Step>{3});
  EXPECT_EQ(nan.findings[0].count, 1);  // A mean of NaN may come of infinities.
  EXPECT_EQ(nan.findings[0].message, "a: contains NaN at step 3");
  EXPECT_EQ(nan.coverage.steps, 2);  // So steps 2 and 4 are not evaluated, nor is step 0.
  ASSERT_EQ(nan.notes.size(), 1u);
  EXPECT_EQ(nan.notes[0],
            "1 tensor skipped (first: a): the saved statistics are not enough; save "
            "full tensors (--reductions none)");
}

TEST_F(ExplodingTensorTest, LooksAtWhatItIsTold) {
  Manifest(2);
  for (const int worker : {0, 1}) {
    Save(0,
         Tensors{{"gradient/a", FloatTensor({1}, {worker == 1 ? NAN : 0})},
                 {"b", FloatTensor({1}, {NAN})},
                 {"c", FloatTensor({1}, {NAN})}},
         Mode::kEval, worker);
  }
  EXPECT_EQ(Evaluate("ExplodingTensor").findings.size(), 5u);
  const RuleReport report = Evaluate("ExplodingTensor:collection_names=gradients;tensor_regex=^c");
  ASSERT_EQ(report.findings.size(), 3u);
  EXPECT_EQ(report.findings[0].tensor, "c");
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(report.findings[1].worker, "worker_1");
  EXPECT_EQ(report.findings[2].tensor, "gradient/a");
  EXPECT_EQ(report.findings[2].message,
            "gradient/a: contains 1 NaN (1 of 1 values are not finite) at step 0 (EVAL)");
}

TEST_F(ExplodingTensorTest, Refusals) {
  EXPECT_EQ(Refusal("ExplodingTensor:only_nan=maybe"),
            "ExplodingTensor: only_nan is 'maybe'; expected True or False");
}

TEST_F(ExplodingTensorTest, LeavesOfTreesHaveNoSplit) {
  Manifest(1, {}, config::Framework::kXgBoost);
  Save(0, {{"trees/Split", FloatTensor({2}, {0.5F, NAN})}, {"labels", FloatTensor({1}, {1})}},
       Mode::kGlobal);
  EXPECT_EQ(Evaluate("ExplodingTensor").status, RuleStatus::kNoIssuesFound);
  Save(1, {{"train-rmse", FloatTensor({1}, {NAN})}}, Mode::kGlobal);
  EXPECT_EQ(FiredAt(Evaluate("ExplodingTensor")), std::vector<Step>{1});
}

}  // namespace
}  // namespace warden::rules
