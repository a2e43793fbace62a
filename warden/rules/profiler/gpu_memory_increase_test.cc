#include <random>

#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

class GPUMemoryIncreaseTest : public ProfilerRuleTest {
 protected:
  void Memory(double percent, int times = 1) { See({.gpu_memory = {percent}}, times); }
};

TEST_F(GPUMemoryIncreaseTest, AJump) {
  Use("GPUMemoryIncrease:patience=10;window=4");
  Memory(20, 30);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  Memory(40, 1);  // 5 more in the mean of four points: not more than 5.
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  Memory(40, 1);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].tensor, "gpu0");
  EXPECT_EQ(Findings()[0].value, 10);
  EXPECT_EQ(Findings()[0].threshold, 5);
  EXPECT_EQ(Findings()[0].message,
            "gpu0: mean memory usage over 4 data points rose by 10 percentage points (threshold 5) "
            "at 22:13:35 UTC");
}

TEST_F(GPUMemoryIncreaseTest, AJumpBetweenTwoEvaluationsIsSeen) {
  Use("GPUMemoryIncrease:patience=0;window=2");
  Memory(20, 10);
  Memory(60, 1);
  Memory(20, 10);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].value, 20);
  Memory(20, 10);
  Evaluate();
  EXPECT_EQ(Findings()[0].count, 1);
  EXPECT_EQ(Details()["algo-1"]["gpu0"]["increase"], 20);
  EXPECT_EQ(Details()["algo-1"]["gpu0"]["leak"], false);
}

TEST_F(GPUMemoryIncreaseTest, ASteadyLeak) {
  Use("GPUMemoryIncrease:patience=100;window=10");
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.5);
  for (int i = 0; i < 3000; ++i) Memory(20 + i * 0.004 + noise(random));
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_NE(Findings()[0].message.find("memory grows steadily"), std::string::npos);
  EXPECT_NEAR(Findings()[0].value, 2900 * 0.004, 0.5);
  const Json gpu = Details()["algo-1"]["gpu0"];
  EXPECT_NEAR(gpu["slope_percent_per_hour"], 0.008 * 3600, 1);
  EXPECT_EQ(gpu["leak"], true);
}

TEST_F(GPUMemoryIncreaseTest, NoiseAloneNeverFires) {
  Use("GPUMemoryIncrease:patience=0;window=50");
  std::mt19937 random(2);
  std::normal_distribution<double> noise(50, 5);
  for (int i = 0; i < 5000; ++i) {
    Memory(noise(random));
    Evaluate();
  }
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(GPUMemoryIncreaseTest, ARiseThatHasEndedIsNoLeak) {
  Use("GPUMemoryIncrease:patience=0;window=10");
  for (int i = 0; i < 4000; ++i) Memory(i < 1000 ? 20 + i * 0.02 : 40);
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  EXPECT_GT(Details()["algo-1"]["gpu0"]["slope_percent_per_hour"], 5);
}

TEST_F(GPUMemoryIncreaseTest, TheStartDoesNotCount) {
  Use("GPUMemoryIncrease:patience=10;window=5");
  Memory(0, 5);
  Memory(80, 30);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
}

TEST_F(GPUMemoryIncreaseTest, TwoWindowsAreNeeded) {
  Use("GPUMemoryIncrease");
  Memory(50, 1019);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 1020 data points, found 1019");
  Memory(timeline::kNotMeasured, 10);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 1020 data points, found 1019");
  Memory(50);
  Evaluate();
  EXPECT_TRUE(Evaluated());
}

TEST_F(GPUMemoryIncreaseTest, WithoutAGpu) {
  Use("GPUMemoryIncrease");
  See({.cpu = 5}, 10);
  Evaluate();
  EXPECT_EQ(WhyNot(), "no GPU found on this node");
}

TEST_F(GPUMemoryIncreaseTest, Details) {
  Use("GPUMemoryIncrease:patience=0");
  for (const double memory : {0, 10, 20, 30, 40}) See({.gpu_memory = {memory, 1}});
  const Json node = Details()["algo-1"];
  EXPECT_EQ(KeysOf(node), (std::vector<std::string>{"gpu0", "gpu1"}));
  EXPECT_EQ(node["gpu0"],
            Json::parse(R"({"increase": 0.0, "gpu_max": 40.0, "slope_percent_per_hour": 0.0,
                            "leak": false, "p05": 2.0, "p25": 10.0, "p50": 20.0, "p75": 30.0,
                            "p95": 38.0, "upper": 40.0, "lower": 0.0})"));
  EXPECT_EQ(TheResult().parameters, "increase:5\npatience:0\nwindow:10");
  EXPECT_EQ(TheResult().datapoints, 10);
}

}  // namespace
}  // namespace warden::rules
