#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

using LowGPUUtilizationTest = ProfilerRuleTest;

TEST_F(LowGPUUtilizationTest, SaysHowLow) {
  Use("LowGPUUtilization:patience=10;window=5");
  for (int i = 0; i < 20; ++i) See({.gpus = {10.0 + i, 90}});
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  const Finding& finding = Findings()[0];
  EXPECT_EQ(finding.tensor, "gpu0");
  EXPECT_EQ(finding.worker, "algo-1");
  EXPECT_DOUBLE_EQ(finding.value, 28.8);  // Of 25 to 29: 25 + 0.95 * 4.
  EXPECT_EQ(finding.threshold, 70);
  EXPECT_EQ(finding.message,
            "gpu0: p95 utilization over the last 5 data points is 28.8 % (threshold 70 %) at "
            "22:13:29 UTC");
}

TEST_F(LowGPUUtilizationTest, Fluctuates) {
  Use("LowGPUUtilization:patience=0;window=100");
  for (int i = 0; i < 100; ++i) See({.gpus = {i % 4 == 0 ? 5.0 : 99.0}});
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].value, 5);
  EXPECT_EQ(Findings()[0].threshold, 10);
  EXPECT_NE(Findings()[0].message.find("data points: p95 99 %, p5 5 %"), std::string::npos);
  EXPECT_EQ(Details()["algo-1"]["gpu0"]["fluctuating"], 100);
  EXPECT_EQ(Details()["algo-1"]["gpu0"]["low"], 0);
}

TEST_F(LowGPUUtilizationTest, ExactlyAtTheThresholdIsNeither) {
  Use("LowGPUUtilization:patience=0;window=10;threshold_p95=70;threshold_p5=10");
  See({.gpus = {70, 10}}, 10);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_EQ(Findings().size(), 1u);  // gpu1: p95 of 10 is low.
  EXPECT_EQ(Findings()[0].tensor, "gpu1");
}

TEST_F(LowGPUUtilizationTest, NoVerdictUntilThePatienceIsOver) {
  Use("LowGPUUtilization");
  See({.gpus = {3}}, 1000);
  Evaluate();
  EXPECT_FALSE(Evaluated());
  EXPECT_EQ(WhyNot(), "needs 1001 data points, found 1000");
  EXPECT_EQ(TheResult().not_evaluated, "needs 1001 data points, found 1000");
  See({.gpus = {3}});
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_EQ(Findings().size(), 1u);
  EXPECT_EQ(TheResult().not_evaluated, "");
  EXPECT_EQ(TheResult().datapoints, 1001);
  EXPECT_EQ(TheResult().violations, 1);
}

TEST_F(LowGPUUtilizationTest, AnIdleStartDoesNotCount) {
  Use("LowGPUUtilization:patience=20;window=20");
  See({.gpus = {0}}, 20);
  for (int i = 0; i < 40; ++i) {
    See({.gpus = {95}});
    Evaluate();
  }
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(LowGPUUtilizationTest, OnePointAfterThePatienceIsNoVerdict) {
  Use("LowGPUUtilization:patience=100;window=50");
  See({.gpus = {95}}, 100);
  See({.gpus = {30}});
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(LowGPUUtilizationTest, ValuesThatAreNotThereAreNoPoints) {
  Use("LowGPUUtilization:patience=5;window=5");
  See({.gpus = {3}}, 5);
  See({.gpus = {timeline::kNotMeasured}}, 50);
  See({.gpus = {INFINITY}}, 50);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 6 data points, found 5");
}

TEST_F(LowGPUUtilizationTest, WithoutAGpuNothingIsEvaluated) {
  Use("LowGPUUtilization");
  Evaluate();
  EXPECT_EQ(WhyNot(), "no system metrics were saved; add --profile system");
  See({.cpu = 50}, 2000);
  Evaluate();
  EXPECT_EQ(WhyNot(), "no GPU found on this node");
  EXPECT_EQ(KeysOf(Details()), std::vector<std::string>{"last_timestamp"});
}

TEST_F(LowGPUUtilizationTest, AGpuThatAppearsLateHasAPatienceOfItsOwn) {
  Use("LowGPUUtilization:patience=10;window=10");
  See({.gpus = {90}}, 30);
  See({.gpus = {90, 1}}, 10);
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  See({.gpus = {90, 1}});
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].tensor, "gpu1");
}

TEST_F(LowGPUUtilizationTest, NodesAreApart) {
  Use("LowGPUUtilization:patience=5;window=5");
  See({.gpus = {90}, .node = "algo-1"}, 10);
  See({.gpus = {20}, .node = "algo-2"}, 10);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].worker, "algo-2");
  EXPECT_EQ(KeysOf(Details()), (std::vector<std::string>{"algo-1", "algo-2", "last_timestamp"}));
}

TEST_F(LowGPUUtilizationTest, AFindingEndsAndASecondOneBegins) {
  Use("LowGPUUtilization:patience=0;window=10");
  for (const double use : {20.0, 20.0, 95.0, 20.0}) {
    See({.gpus = {use}}, 10);
    Evaluate();
  }
  EXPECT_EQ(Findings().size(), 2u);
  EXPECT_EQ(Findings()[0].count, 2);
  EXPECT_EQ(TheResult().violations, 30);  // Points at which it held.
}

TEST_F(LowGPUUtilizationTest, CountsTheIntervalsInWhichItHeld) {
  Use("LowGPUUtilization:patience=0;window=10;scan_interval_us=10000000");
  for (int second = 0; second < 25; ++second) {
    See({.gpus = {5}}, 2);
    EvaluateAt(second);
  }
  EXPECT_EQ(TheResult().triggered, 3);
}

TEST_F(LowGPUUtilizationTest, Details) {
  Use("LowGPUUtilization:patience=0;window=4");
  for (const double use : {0, 10, 20, 30, 40, 50, 60, 70, 80}) See({.gpus = {use}});
  Evaluate();
  const Json gpu = Details()["algo-1"]["gpu0"];
  EXPECT_EQ(KeysOf(gpu),
            (std::vector<std::string>{"gpu_max", "gpu_95", "gpu_5", "p25", "p50", "p75", "p95",
                                      "upper", "lower", "low", "fluctuating"}));
  EXPECT_EQ(gpu["gpu_max"], 80);
  EXPECT_DOUBLE_EQ(gpu["gpu_95"], 78.5);  // Of 50 to 80.
  EXPECT_DOUBLE_EQ(gpu["gpu_5"], 51.5);
  EXPECT_EQ(gpu["p25"], 20);
  EXPECT_EQ(gpu["p50"], 40);
  EXPECT_EQ(gpu["p75"], 60);
  EXPECT_DOUBLE_EQ(gpu["p95"], 76);
  EXPECT_EQ(gpu["upper"], 80);
  EXPECT_EQ(gpu["lower"], 0);
  EXPECT_EQ(Details()["last_timestamp"], 1'700'000'004'000'000);
}

TEST_F(LowGPUUtilizationTest, Parameters) {
  Use("LowGPUUtilization:threshold=55");
  EXPECT_EQ(TheResult().parameters, "threshold_p95:55\nthreshold_p5:10\nwindow:500\npatience:1000");
  EXPECT_EQ(Refusal("LowGPUUtilization:threshold=55;threshold_p95=60"),
            "LowGPUUtilization: threshold is an alias of threshold_p95; set only one of them");
  EXPECT_EQ(Refusal("LowGPUUtilization:threshold_p95=101"),
            "LowGPUUtilization: threshold_p95 is '101'; expected a number from 0 to 100");
  EXPECT_NE(Refusal("LowGPUUtilization:window=0"), "");
}

}  // namespace
}  // namespace warden::rules
