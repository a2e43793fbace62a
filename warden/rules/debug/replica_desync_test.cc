#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using ReplicaDesyncTest = RuleTest;

TEST_F(ReplicaDesyncTest, FiresWhereWorkersDiffer) {
  Manifest(3);
  for (const int worker : {0, 1, 2}) {
    const float off = static_cast<float>(worker) / 2;
    Save(0, "fc.weight", {1, 2, 3}, Mode::kTrain, worker);
    Save(1,
         Tensors{{"fc.weight", FloatTensor({3}, {1, 2 + off, 3})},
                 {"fc.bias", FloatTensor({1}, {7})}},
         Mode::kTrain, worker);
    Save(2, "fc.weight", {5, 5, 5}, Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate("ReplicaDesync");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].count, 1);
  EXPECT_EQ(report.findings[0].worker, "worker_2");
  EXPECT_EQ(report.findings[0].value, 1);
  EXPECT_DOUBLE_EQ(report.findings[0].threshold, 1e-8 + 1e-5 * 2);
  EXPECT_EQ(report.findings[0].message,
            "fc.weight: worker_2 differs from worker_0 by up to 1 (1 of 3 values) at step 1");
  EXPECT_EQ(report.coverage.tensors, 6);
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(ReplicaDesyncTest, NamesTheFirstWorkerIfTheOthersAgree) {
  Manifest(4);
  for (const int worker : {0, 1, 2, 3}) {
    Save(0, "fc.weight", {1, worker == 0 ? 9.0f : 2.0f}, Mode::kTrain, worker);
    Save(1, "fc.weight", {1, 2}, Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate("ReplicaDesync");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{0});
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(report.findings[0].last_step, 0);
  EXPECT_EQ(report.findings[0].message,
            "fc.weight: worker_0 differs from worker_1 by up to 7 (1 of 2 values) at step 0");
}

TEST_F(ReplicaDesyncTest, ToleranceIsIncluded) {
  Manifest(2);
  Save(0, "fc.weight", {4}, Mode::kTrain, 0);
  Save(0, "fc.weight", {7}, Mode::kTrain, 1);
  EXPECT_EQ(Evaluate("ReplicaDesync:rtol=0.5;atol=1").status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(Evaluate("ReplicaDesync:rtol=0.5;atol=0.99").status, RuleStatus::kIssuesFound);
}

TEST_F(ReplicaDesyncTest, NaNInTheSamePlaceIsNoDifference) {
  Manifest(2);
  for (const int worker : {0, 1}) {
    Save(0, "fc.weight", {NAN, 1}, Mode::kTrain, worker);
    Save(1, "fc.weight", {1, worker == 0 ? NAN : 1}, Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate("ReplicaDesync");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].value, INFINITY);
}

TEST_F(ReplicaDesyncTest, SavedReductionsWillDo) {
  Manifest(2);
  for (const int worker : {0, 1}) {
    Save(0, SavedReduction("fc.weight", "l2", 3), Mode::kTrain, worker);
    Save(1, SavedReduction("fc.weight", "l2", 3 + static_cast<float>(worker)), Mode::kTrain,
         worker);
    Save(2, SavedReduction("fc.weight", worker == 0 ? "l1" : "l2", 3), Mode::kTrain, worker);
  }
  const RuleReport report = Evaluate("ReplicaDesync");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].message,
            "fc.weight: worker_1 differs from worker_0 in l2: 4 and 3 at step 1");
  EXPECT_EQ(report.coverage.steps, 2);
  EXPECT_EQ(report.notes, std::vector<std::string>{
                              "1 tensor skipped (first: fc.weight): no saved values or statistics "
                              "in common"});
}

TEST_F(ReplicaDesyncTest, AnotherShapeIsADifference) {
  Manifest(2);
  Save(0, "fc.weight", {1, 1}, Mode::kTrain, 0);
  Save(0, "fc.weight", {1}, Mode::kTrain, 1);
  EXPECT_EQ(Evaluate("ReplicaDesync").findings.at(0).message,
            "fc.weight: worker_1 differs from worker_0 in shape: (1) and (2) at step 0");
}

TEST_F(ReplicaDesyncTest, OneWorkerIsTooFew) {
  Save(0, "fc.weight", {1});
  const RuleReport report = Evaluate("ReplicaDesync");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason,
            "needs tensors from 2 workers, found 1; add --workers all, or the hook parameter "
            "include_workers=all");
}

TEST_F(ReplicaDesyncTest, LooksAtWhatItIsTold) {
  Manifest(2);
  for (const int worker : {0, 1}) {
    Save(0, "running_mean", {static_cast<float>(worker)}, Mode::kEval, worker);
  }
  EXPECT_EQ(Evaluate("ReplicaDesync").reason,
            "no weights or biases were saved; save the collections weights and biases");
  EXPECT_EQ(Evaluate("ReplicaDesync:tensor_regex=running").findings.size(), 1u);
}

TEST_F(ReplicaDesyncTest, Refusals) {
  EXPECT_EQ(Refusal("ReplicaDesync:rtol=-1"),
            "ReplicaDesync: rtol is '-1'; expected a non-negative number");
}

}  // namespace
}  // namespace warden::rules
