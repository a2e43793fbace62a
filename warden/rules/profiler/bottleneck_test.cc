#include "warden/rules/profiler/bottleneck.h"

#include "warden/rules/profiler/profiler_for_test.h"

namespace warden::rules {
namespace {

TEST(LastHundred, ForgetsTheOldest) {
  LastHundred last;
  last.Add(true);
  EXPECT_EQ(last.Percent(), 100);
  for (int i = 0; i < 99; ++i) last.Add(false);
  EXPECT_EQ(last.Percent(), 1);
  last.Add(false);
  EXPECT_EQ(last.Percent(), 0);
  for (int i = 0; i < 250; ++i) last.Add(i % 2 == 0);
  EXPECT_EQ(last.Percent(), 50);
}

class BottleneckTest : public ProfilerRuleTest {
 protected:
  void Cpu(double cpu, double gpu, int times = 1) { See({.cpu = cpu, .gpus = {gpu, 95}}, times); }
};

TEST_F(BottleneckTest, MoreThanTheThresholdOfThePoints) {
  Use("CPUBottleneck:patience=0");
  Cpu(95, 5, 50);
  Cpu(50, 5, 50);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());  // 50 % is not more than 50 %.
  Cpu(95, 5);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].worker, "algo-1");
  EXPECT_EQ(Findings()[0].tensor, "");
  EXPECT_DOUBLE_EQ(Findings()[0].value, 100 * 51 / 101.0);
  EXPECT_EQ(Findings()[0].message,
            "in 50.5 % of 101 data points, mean CPU utilization was above 90 % while GPU "
            "utilization was below 10 % (threshold 50 %) at 22:14:10 UTC");
}

TEST_F(BottleneckTest, BothHaveToBe) {
  Use("CPUBottleneck:patience=0");
  Cpu(95, 10, 40);  // The GPU is not below 10.
  Cpu(90, 5, 40);   // The CPU is not above 90.
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(Details()["low_gpu_utilization"], 40);
  EXPECT_EQ(Details()["bottleneck_points"], 0);
}

TEST_F(BottleneckTest, WaitingForDisks) {
  Use("IOBottleneck:patience=0");
  See({.cpu = 99, .io_wait = 50, .gpus = {5}}, 10);
  Evaluate();
  EXPECT_TRUE(Findings().empty());
  See({.cpu = 1, .io_wait = 51, .gpus = {5}}, 11);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_NE(Findings()[0].message.find("mean I/O wait was above 50 %"), std::string::npos);
}

TEST_F(BottleneckTest, ThePatienceDoesNotCount) {
  Use("CPUBottleneck:patience=10");
  Cpu(95, 5, 10);
  Evaluate();
  EXPECT_EQ(WhyNot(), "needs 11 data points, found 10");
  EXPECT_EQ(TheResult().datapoints, 10);
  EXPECT_EQ(TheResult().violations, 0);
  Cpu(95, 5);
  Evaluate();
  EXPECT_EQ(Findings().size(), 1u);
  EXPECT_EQ(TheResult().datapoints, 11);
  EXPECT_EQ(TheResult().violations, 1);
}

TEST_F(BottleneckTest, OnePointAfterThePatienceIsNoVerdict) {
  Use("CPUBottleneck:patience=200");
  Cpu(50, 90, 200);
  Cpu(95, 5);
  Evaluate();
  EXPECT_TRUE(Evaluated());
  EXPECT_TRUE(Findings().empty());
  Cpu(95, 5, 50);
  Evaluate();
  EXPECT_EQ(Findings().size(), 1u);
}

TEST_F(BottleneckTest, WhatIsNotMeasuredIsNoPoint) {
  Use("CPUBottleneck:patience=0");
  See({.gpus = {5}}, 10);
  See({.cpu = 95, .gpus = {timeline::kNotMeasured}}, 10);
  Evaluate();
  EXPECT_FALSE(Evaluated());
  EXPECT_EQ(TheResult().datapoints, 0);
}

TEST_F(BottleneckTest, OnTheCpuAlone) {
  Use("CPUBottleneck:patience=0");
  See({.cpu = 95, .training_cpu = 5}, 10);
  Evaluate();
  EXPECT_TRUE(Evaluated()) << "as in the original, whose report counts these points";
  EXPECT_TRUE(Findings().empty());
  EXPECT_EQ(TheResult().datapoints, 10);
  EXPECT_EQ(Details()["points"], 10);
  EXPECT_EQ(Details()["gpus"], false);
  Use("CPUBottleneck:patience=0;gpu=none");
  See({.cpu = 95, .training_cpu = 5}, 10);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_NE(Findings()[0].message.find("while CPU usage of the training was below 10 %"),
            std::string::npos);
}

TEST_F(BottleneckTest, NodesAreApart) {
  Use("CPUBottleneck:patience=0");
  See({.cpu = 95, .gpus = {5}, .node = "algo-1"}, 30);
  See({.cpu = 20, .gpus = {5}, .node = "algo-2"}, 300);
  Evaluate();
  ASSERT_EQ(Findings().size(), 1u);
  EXPECT_EQ(Findings()[0].worker, "algo-1");
  EXPECT_EQ(Details()["nodes"],
            Json::parse(R"({"algo-1": {"points": 30, "bottlenecks": 30, "low_gpu": 30},
                            "algo-2": {"points": 300, "bottlenecks": 0, "low_gpu": 300}})"));
  EXPECT_EQ(Details()["points"], 330);
}

TEST_F(BottleneckTest, TellsTheMomentsAndWhatWentOnThen) {
  Use("CPUBottleneck:patience=0");
  // Bottlenecks from 0.5 to 1 and from 1.5 to 2.
  for (const double cpu : {20, 20, 95, 20, 95, 20}) Cpu(cpu, 5);
  SeeStep("TRAIN", 0, 0, 0.75);
  SeeStep("TRAIN", 1, 0.75, 1.75);
  See(SpanOf("DataLoaderIter", "Iter::GetNext", 0.5, 0.25));
  See(SpanOf("Forward", "net", 0.75, 0.5));
  See(SpanOf("Forward", "net", 0.75, 0.5, "algo-2-7"));  // Another machine.
  Evaluate();
  const Json details = Details();
  EXPECT_EQ(details["bottlenecks"], Json::parse(R"({"1700000001000000": {"GPUs": 1, "CPUs": 8},
                            "1700000002000000": {"GPUs": 1, "CPUs": 8}})"));
  EXPECT_EQ(details["phase_time"]["Step:ModeKeys.TRAIN"], 1'000'000);
  EXPECT_EQ(details["phase_time"]["Forward"], 250'000);
  EXPECT_EQ(details["phase_time"]["DataLoaderIter"], 250'000);
  EXPECT_EQ(details["ratio"], Json::parse(R"({"TRAIN": 100.0, "others": 0.0})"));
  EXPECT_EQ(details["forward_backward"], Json::parse(R"({"Forward": 50.0, "DataLoader": 50.0})"));
}

TEST_F(BottleneckTest, OnlyTheLastMomentsAreTold) {
  Use("IOBottleneck:patience=0");
  See({.io_wait = 90, .gpus = {5}}, 1500);
  EXPECT_EQ(Details()["bottlenecks"].size(), 1000u);
  EXPECT_EQ(Details()["bottleneck_points"], 1500);
}

TEST_F(BottleneckTest, Parameters) {
  Use("CPUBottleneck");
  EXPECT_EQ(TheResult().parameters,
            "threshold:50\ncpu_threshold:90\ngpu_threshold:10\npatience:1000");
  Use("IOBottleneck:gpu_threshold=70");
  EXPECT_EQ(TheResult().parameters,
            "threshold:50\nio_threshold:50\ngpu_threshold:70\npatience:1000");
  EXPECT_NE(Refusal("CPUBottleneck:gpu=yes"), "");
}

}  // namespace
}  // namespace warden::rules
