#include "warden/watch/summary/run_facts.h"

#include <gtest/gtest.h>

namespace warden::watch {
namespace {

TEST(CanApplyTest, RulesForGpusNeedGpus) {
  EXPECT_FALSE(CanApply("LowGPUUtilization", {.gpus = 0}));
  EXPECT_FALSE(CanApply("CPUBottleneck", {.gpus = 0}));
  EXPECT_TRUE(CanApply("LowGPUUtilization", {.gpus = 1}));
  EXPECT_FALSE(CanApply("LoadBalancing", {.gpus = 1}));
  EXPECT_TRUE(CanApply("LoadBalancing", {.gpus = 2}));
}

TEST(CanApplyTest, SomeRulesNeedWhatTheTrainingLoopDoes) {
  EXPECT_FALSE(CanApply("GradientsNotCleared", {.loop_observed = false}));
  EXPECT_TRUE(CanApply("GradientsNotCleared", {.loop_observed = true}));
  EXPECT_TRUE(CanApply("Divergence", {.loop_observed = false}));
}

TEST(CanApplyTest, RangesNeedNarrowTypes) {
  EXPECT_FALSE(CanApply("HalfPrecisionRange", {.half_precision = false}));
  EXPECT_TRUE(CanApply("HalfPrecisionRange", {.half_precision = true}));
}

TEST(CanApplyTest, ReplicasNeedSeveralProcesses) {
  EXPECT_FALSE(CanApply("ReplicaDesync", {.workers = 1}));
  EXPECT_TRUE(CanApply("ReplicaDesync", {.workers = 2}));
  EXPECT_TRUE(CanApply("ReplicaDesync", {.workers = 0}));  // Not known.
}

TEST(CanApplyTest, TreesAndNetworksHaveTheirOwnRules) {
  EXPECT_FALSE(CanApply("TreeDepth", {.xgboost = false}));
  EXPECT_TRUE(CanApply("TreeDepth", {.xgboost = true}));
  EXPECT_FALSE(CanApply("DeadRelu", {.xgboost = true}));
  EXPECT_TRUE(CanApply("DeadRelu", {.xgboost = false}));
  EXPECT_TRUE(CanApply("LossSpike", {.xgboost = true}));
  EXPECT_TRUE(CanApply("MyOwnRule", {}));
}

}  // namespace
}  // namespace warden::watch
