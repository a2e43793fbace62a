#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

using BatchSizeTest = ProfilerRuleTest;

TEST_F(BatchSizeTest, FiresForEachGpuWithRoom) {
  Use("BatchSize:patience=10;window=5");
  See({.cpu = 30, .gpus = {40, 90}, .gpu_memory = {20, 20}}, 11);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].message,
            "gpu0: p95 over the last 5 data points: utilization 40 % (below 70 %), memory 20 % "
            "(below 70 %), CPU 30 % (below 70 %) at 22:13:25 UTC");
  EXPECT_EQ(Findings()[0].value, 40);
  EXPECT_EQ(TheResult().datapoints, 22);
  EXPECT_EQ(TheResult().violations, 1);
}

TEST_F(BatchSizeTest, OneThatIsUsedIsEnough) {
  for (const auto& [cpu, gpu, memory] :
       {std::tuple(70, 40, 40), std::tuple(40, 70, 40), std::tuple(40, 40, 70)}) {
    Use("BatchSize:patience=0;window=5");
    See({.cpu = double(cpu), .gpus = {double(gpu)}, .gpu_memory = {double(memory)}}, 10);
    Evaluate();
    EXPECT_TRUE(Evaluated());
    EXPECT_TRUE(Findings().empty()) << cpu << " " << gpu << " " << memory;
  }
}

TEST_F(BatchSizeTest, OnlyTheLastPointsCount) {
  Use("BatchSize:patience=0;window=20");
  See({.cpu = 30, .gpus = {99}, .gpu_memory = {20}}, 50);
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  See({.cpu = 30, .gpus = {20}, .gpu_memory = {20}}, 20);
  Evaluate();
  EXPECT_EQ(Findings().size(), 1u);
}

TEST_F(BatchSizeTest, ExactlyThePatienceIsTooLittle) {
  Use("BatchSize:patience=10;window=5");
  See({.cpu = 30, .gpus = {40}, .gpu_memory = {20}}, 10);
  Evaluate();
  EXPECT_FALSE(Evaluated());
  EXPECT_EQ(WhyNot(), "needs 11 data points, found 10");
}

TEST_F(BatchSizeTest, WithoutMemoryThereIsNoVerdict) {
  Use("BatchSize:patience=1;window=5");
  See({.cpu = 30, .gpus = {40}}, 10);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 2 data points, found 0");
}

TEST_F(BatchSizeTest, OnTheCpuAlone) {
  Use("BatchSize:patience=5;window=5");
  See({.cpu = 30, .memory = 20, .training_cpu = 25}, 10);
  Evaluate();
  EXPECT_TRUE(Evaluated()) << "as in the original, whose report counts these points";
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(TheResult().datapoints, 10);
  EXPECT_EQ(Details()["algo-1"]["cpu"]["p50"], 30);  // Is told all the same.

  Use("BatchSize:patience=5;window=5;gpu=none");
  See({.cpu = 30, .memory = 20, .training_cpu = 25}, 10);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].tensor, "training");
  EXPECT_EQ(Findings()[0].value, 25);
  EXPECT_EQ(KeysOf(Details()["algo-1"]),
            (std::vector<std::string>{"cpu", "training", "training_memory"}));
}

TEST_F(BatchSizeTest, Details) {
  Use("BatchSize");
  for (const double use : {0, 1, 2, 3, 100}) {
    See({.cpu = 50, .gpus = {use}, .gpu_memory = {use / 2}});
  }
  EXPECT_EQ(Details(), Json::parse(R"({
    "algo-1": {
      "cpu": {"p25": 50.0, "p50": 50.0, "p75": 50.0, "p95": 50.0, "upper": 50.0, "lower": 50.0},
      "gpu0": {"p25": 1.0, "p50": 2.0, "p75": 3.0, "p95": 80.6, "upper": 6.0, "lower": 0.0},
      "gpu0_memory": {"p25": 0.5, "p50": 1.0, "p75": 1.5, "p95": 40.3, "upper": 3.0, "lower": 0.0}
    },
    "last_timestamp": 1700000002000000})"));
}

TEST_F(BatchSizeTest, Parameters) {
  Use("BatchSize:patience=7");
  EXPECT_EQ(TheResult().parameters,
            "cpu_threshold_p95:70\ngpu_threshold_p95:70\ngpu_memory_threshold_p95:70\npatience:7\n"
            "window:500");
  EXPECT_EQ(Refusal("BatchSize:gpu=2"), "BatchSize: gpu is '2'; expected none");
}

}  // namespace
}  // namespace warden::rules
