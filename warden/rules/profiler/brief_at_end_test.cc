#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

class BriefAtEndTest : public ProfilerRuleTest {
 protected:
  void UseOfPreset(const std::string& rule) { Use(rule, /*of_preset=*/true); }
  // Fails the test unless the end of the run brings the only finding, which says why.
  void ExpectFoundAtTheEnd() {
    Evaluate();
    EXPECT_TRUE(Findings().empty());
    EvaluateAtEnd();
    ASSERT_EQ(Findings().size(), 1u);
    EXPECT_NE(Findings()[0].message.find("(short run: 50 data points ignored at the start)"),
              std::string::npos)
        << Findings()[0].message;
  }
};

TEST_F(BriefAtEndTest, CpuBottlenecksOfShortRuns) {
  UseOfPreset("CPUBottleneck");
  See({.cpu = 96, .gpus = {1}}, 200);
  ExpectFoundAtTheEnd();
  EXPECT_EQ(TheResult().note,
            "Short run: 50 data points were ignored at the start instead of 1000.");
}

TEST_F(BriefAtEndTest, LowUtilizationOfShortRuns) {
  UseOfPreset("LowGPUUtilization");
  See({.cpu = 20, .gpus = {30}}, 200);
  ExpectFoundAtTheEnd();
}

TEST_F(BriefAtEndTest, UnevenLoadsOfShortRuns) {
  UseOfPreset("LoadBalancing");
  See({.cpu = 20, .gpus = {95, 5}}, 200);
  ExpectFoundAtTheEnd();
}

TEST_F(BriefAtEndTest, SlowDisksOfShortRuns) {
  UseOfPreset("IOBottleneck");
  See({.cpu = 20, .io_wait = 80, .gpus = {1}}, 200);
  ExpectFoundAtTheEnd();
}

TEST_F(BriefAtEndTest, MemoryGrowsWhileATrainingStarts) {
  UseOfPreset("GPUMemoryIncrease");
  See({.gpus = {90}, .gpu_memory = {10}}, 100);
  See({.gpus = {90}, .gpu_memory = {60}}, 100);
  EvaluateAtEnd();
  EXPECT_TRUE(Findings().empty());
  EXPECT_FALSE(Evaluated());
}

TEST_F(BriefAtEndTest, HealthyShortRunsAreChecked) {
  for (const char* rule : {"CPUBottleneck", "IOBottleneck", "LowGPUUtilization", "LoadBalancing"}) {
    UseOfPreset(rule);
    // Data are prepared before the training starts.
    See({.cpu = 99, .io_wait = 0, .gpus = {0, 0}}, 50);
    See({.cpu = 40, .io_wait = 0, .gpus = {97, 98}}, 60);
    EvaluateAtEnd();
    EXPECT_TRUE(Findings().empty()) << rule;
    EXPECT_TRUE(Evaluated()) << rule;
  }
}

TEST_F(BriefAtEndTest, AFewSecondsOnABusyProcessorSayNothing) {
  for (const char* rule : {"CPUBottleneck", "IOBottleneck", "LowGPUUtilization", "LoadBalancing"}) {
    UseOfPreset(rule);
    See({.cpu = 99, .io_wait = 90, .gpus = {1, 90}}, 50);
    EvaluateAtEnd();
    EXPECT_TRUE(Findings().empty()) << rule;
    EXPECT_FALSE(Evaluated()) << rule;
    EXPECT_NE(WhyNot().find("needs 51 data points, found 50"), std::string::npos) << WhyNot();
  }
}

TEST_F(BriefAtEndTest, WithoutAGpuNothingWaitsForTheProcessor) {
  UseOfPreset("CPUBottleneck");
  See({.cpu = 99}, 200);
  EvaluateAtEnd();
  EXPECT_TRUE(Findings().empty());
}

TEST_F(BriefAtEndTest, LongRunsAreCheckedAsUsual) {
  UseOfPreset("CPUBottleneck");
  See({.cpu = 96, .gpus = {1}}, 1000);
  See({.cpu = 10, .gpus = {99}}, 200);
  Evaluate();
  EvaluateAtEnd();
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(TheResult().note, "");
}

TEST_F(BriefAtEndTest, WhoNamesARuleGetsItsPatience) {
  Use("CPUBottleneck");
  See({.cpu = 96, .gpus = {1}}, 200);
  EvaluateAtEnd();
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(WhyNot(), "needs 1001 data points, found 200");
  Use("CPUBottleneck:patience=500", /*of_preset=*/true);
  See({.cpu = 96, .gpus = {1}}, 200);
  EvaluateAtEnd();
  EXPECT_EQ(WhyNot(), "needs 501 data points, found 200");
}

}  // namespace
}  // namespace warden::rules
