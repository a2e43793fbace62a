#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

using LoadBalancingTest = ProfilerRuleTest;

TEST_F(LoadBalancingTest, TheWidestPair) {
  Use("LoadBalancing:patience=10");
  for (int i = 0; i < 200; ++i) {
    See({.gpus = {95, 95, i % 4 == 0 ? 95.0 : 15.0}});
  }
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].worker, "algo-1");
  EXPECT_EQ(Findings()[0].tensor, "");
  // After the first ten, three of them busy: 190 points, 47 of them busy.
  EXPECT_DOUBLE_EQ(Findings()[0].value, 1 - 47 / 190.0);
  EXPECT_EQ(Findings()[0].message,
            "utilization of gpu0 and gpu2 differs by 0.753 on a scale from 0 to 1 (threshold 0.5, "
            "exceeded by 2 of 3 GPU pairs) at 22:14:59 UTC");
  EXPECT_EQ(TheResult().datapoints, 200);
  EXPECT_EQ(TheResult().violations, 190);
}

TEST_F(LoadBalancingTest, ExactlyAtTheThreshold) {
  Use("LoadBalancing:patience=0");
  for (int i = 0; i < 100; ++i) See({.gpus = {95, i % 2 == 0 ? 95.0 : 15.0}});
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(LoadBalancingTest, TheLastBinIsClosed) {
  Use("LoadBalancing:patience=0");
  for (const auto& [a, b] : {std::pair(100.0, 90.0), {0.0, 9.99}, {10.0, 19.9}}) {
    See({.gpus = {a, b}});
  }
  EXPECT_EQ(Details()["algo-1"]["distances"]["gpu0"]["gpu1"], 0);
  EXPECT_EQ(Details()["algo-1"]["workloads"]["gpu0"],
            Json::parse("[0.333333, 0.333333, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.333333]"));
  See({.gpus = {9.99, 10}});
  EXPECT_EQ(Details()["algo-1"]["distances"]["gpu0"]["gpu1"], 0.25);
}

TEST_F(LoadBalancingTest, FewPointsNeedTheOnesBeforeToAgree) {
  Use("LoadBalancing:patience=200");
  See({.gpus = {95, 95}}, 200);
  See({.gpus = {95, 85}}, 10);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  See({.gpus = {95, 85}}, 50);
  Evaluate();
  EXPECT_EQ(Findings().size(), 1u);
}

TEST_F(LoadBalancingTest, NotEvaluated) {
  Use("LoadBalancing:patience=10");
  See({.cpu = 10}, 20);
  Evaluate();
  EXPECT_EQ(WhyNot(), "no GPU found on this node");
  See({.gpus = {10}}, 20);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 2 GPUs on a node, found 1");
  See({.gpus = {10, 20}}, 10);  // The second one comes late.
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 11 data points, found 10");
  See({.gpus = {10, 20}});
  Evaluate();
  EXPECT_TRUE(Evaluated());
}

TEST_F(LoadBalancingTest, NodesAreApart) {
  Use("LoadBalancing:patience=0");
  See({.gpus = {95, 95}, .node = "algo-1"}, 50);
  See({.gpus = {5, 5}, .node = "algo-2"}, 50);
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(KeysOf(Details()), (std::vector<std::string>{"algo-1", "algo-2"}));
}

TEST_F(LoadBalancingTest, Parameters) {
  Use("LoadBalancing");
  EXPECT_EQ(TheResult().parameters, "threshold:0.5\npatience:1000");
  EXPECT_NE(Refusal("LoadBalancing:threshold=1.5"), "");
}

}  // namespace
}  // namespace warden::rules
