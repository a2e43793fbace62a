#include "warden/watch/summary/machine_facts.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::watch {
namespace {

constexpr double kNow = 1'700'000'000;

using FactTexts = std::vector<std::string>;

// One sample of a machine: type, dimension, name, value, seconds after the moment.
struct MachineSample {
  std::string_view type, dimension, name;
  double value = 0;
  double after = 0;
  std::string_view node = "algo-1";
};

std::vector<MachineFact> FactsFrom(const std::vector<MachineSample>& samples) {
  MachineJudge judge(kNow);
  for (const MachineSample& sample : samples) {
    judge.Add({sample.type, sample.name, sample.dimension, sample.value, sample.node,
               kNow + sample.after});
  }
  return judge.Facts();
}

FactTexts TextsOf(const std::vector<MachineSample>& samples) {
  FactTexts texts;
  for (const MachineFact& fact : FactsFrom(samples)) texts.push_back(fact.text);
  return texts;
}

MachineSample Throttled(double bits, std::string_view gpu = "gpu0") {
  return {"accelerator", "ThrottleReasons", gpu, bits};
}

TEST(MachineFactsTest, AHealthyMachineIsSilent) {
  EXPECT_TRUE(FactsFrom({}).empty());
  EXPECT_TRUE(FactsFrom({{"cpu", "CPUUtilization", "cpu0", 100},
                         {"memory", "", "MemoryUsedPercent", 94.9},
                         {"gpu", "GPUUtilization", "gpu0", 100},
                         {"gpu", "GPUMemoryUtilization", "gpu0", 94.9},
                         {"swap", "", "SwapUsedPercent", 100},
                         {"swap", "", "SwapOutBytesPerSecond", 9e6},
                         {"pressure", "SomePercent", "memory", 19},
                         {"pressure", "SomePercent", "io", 100},
                         {"space", "UsedPercent", "run", 94},
                         {"space", "FreeBytes", "run", 1e6},
                         Throttled(1 | 2 | 16)})
                  .empty());
}

TEST(MachineFactsTest, OnlyWhatIsNearCounts) {
  EXPECT_TRUE(FactsFrom({{"memory", "", "MemoryUsedPercent", 99, -10.5},
                         {"memory", "", "MemoryUsedPercent", 99, 10.5},
                         {"accelerator", "XidError", "gpu0", 79, -11}})
                  .empty());
  EXPECT_EQ(TextsOf({{"memory", "", "MemoryUsedPercent", 99, -9.5}}).size(), 1u);
  EXPECT_EQ(TextsOf({{"memory", "", "MemoryUsedPercent", 99, 9.5}}).size(), 1u);
}

TEST(MachineFactsTest, FullHostMemory) {
  const auto facts = FactsFrom({{"memory", "", "MemoryUsedPercent", 96, -2},
                                {"memory", "", "MemoryUsedPercent", 97.2, -1},
                                {"memory", "", "MemoryUsedPercent", 95, 0}});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].text, "host memory 97 % full");
  EXPECT_EQ(facts[0].event, MachineEvent::kHostMemory);
  EXPECT_EQ(facts[0].value, 97.2);
  EXPECT_EQ(facts[0].time_s, kNow - 2);
  EXPECT_EQ(facts[0].node, "algo-1");
  EXPECT_TRUE(facts[0].devices.empty());
}

TEST(MachineFactsTest, FullGpuMemory) {
  EXPECT_EQ(TextsOf({{"gpu", "GPUMemoryUtilization", "gpu1", 98},
                     {"gpu", "GPUMemoryUtilization", "gpu0", 50}}),
            FactTexts{"GPU memory 98 % full (GPU 1)"});
}

TEST(MachineFactsTest, SwappingAndWaitingForMemory) {
  EXPECT_EQ(TextsOf({{"pressure", "SomePercent", "memory", 34},
                     {"swap", "", "SwapInBytesPerSecond", 4.5e7},
                     {"swap", "", "SwapOutBytesPerSecond", 1.2e7}}),
            (FactTexts{"swapping 45 MB/s", "processes waited for memory 34 % of the time"}));
}

TEST(MachineFactsTest, AFullDisk) {
  EXPECT_EQ(TextsOf({{"space", "UsedPercent", "run", 99.9}, {"space", "FreeBytes", "run", 2.3e7}}),
            FactTexts{"disk of the run full (23 MB free)"});
  // 1 % of a large disk is a lot.
  EXPECT_TRUE(
      FactsFrom({{"space", "UsedPercent", "run", 99.5}, {"space", "FreeBytes", "run", 2e10}})
          .empty());
  EXPECT_TRUE(FactsFrom({{"space", "FreeBytes", "run", 0}}).empty());
}

TEST(MachineFactsTest, ReducedClocksWithTheirReason) {
  EXPECT_EQ(TextsOf({Throttled(32)}), FactTexts{"GPU 0 slowed down (heat)"});
  EXPECT_EQ(TextsOf({Throttled(64 | 8)}), FactTexts{"GPU 0 slowed down (heat)"});
  EXPECT_EQ(TextsOf({Throttled(128 | 8)}), FactTexts{"GPU 0 slowed down (power brake)"});
  EXPECT_EQ(TextsOf({Throttled(8)}), FactTexts{"GPU 0 slowed down (hardware protection)"});
}

TEST(MachineFactsTest, GpusWithTheSameFactAreTogether) {
  EXPECT_EQ(TextsOf({Throttled(32, "gpu10"), Throttled(32, "gpu2")}),
            FactTexts{"GPUs 2 and 10 slowed down (heat)"});
  std::vector<MachineSample> all;
  const std::vector<std::string> names = {"gpu0", "gpu1", "gpu2", "gpu3", "gpu4"};
  for (const std::string& name : names) all.push_back(Throttled(32, name));
  EXPECT_EQ(TextsOf(all), FactTexts{"5 GPUs slowed down (heat)"});
  EXPECT_EQ(FactsFrom(all)[0].devices, names);
}

TEST(MachineFactsTest, APowerLimitCountsIfTheClockFallsFar) {
  const auto clock = [](double mhz, double after) {
    return MachineSample{"accelerator", "ClockMHz", "gpu0", mhz, after};
  };
  const auto capped = [](double after) {
    return MachineSample{"accelerator", "ThrottleReasons", "gpu0", 4, after};
  };
  EXPECT_TRUE(FactsFrom({clock(1980, -5), clock(1700, 0), capped(0)}).empty());
  EXPECT_TRUE(FactsFrom({clock(1980, -5), clock(1200, 0)}).empty());
  EXPECT_TRUE(FactsFrom({capped(0)}).empty());
  const auto facts = FactsFrom({clock(1980, -5), clock(1200, 1), capped(1)});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].text, "GPU 0 slowed down (power limit)");
  EXPECT_EQ(facts[0].time_s, kNow + 1);
}

TEST(MachineFactsTest, ErrorsOfMemoryAreCountedFromOneSampleToTheNext) {
  const auto ecc = [](std::string_view dimension, double count, double after) {
    return MachineSample{"accelerator", dimension, "gpu0", count, after};
  };
  // Those of the days before.
  EXPECT_TRUE(FactsFrom({ecc("EccUncorrectedErrors", 3, 0)}).empty());
  EXPECT_TRUE(
      FactsFrom({ecc("EccUncorrectedErrors", 3, -1), ecc("EccUncorrectedErrors", 3, 0)}).empty());
  // The driver was loaded again.
  EXPECT_TRUE(
      FactsFrom({ecc("EccUncorrectedErrors", 3, -1), ecc("EccUncorrectedErrors", 0, 0)}).empty());
  EXPECT_EQ(
      TextsOf({ecc("EccUncorrectedErrors", 3, -20), ecc("EccCorrectedErrors", 10, -20),
               ecc("EccUncorrectedErrors", 4, -1), ecc("EccCorrectedErrors", 12, -1),
               ecc("EccCorrectedErrors", 15, 0)}),
      (FactTexts{"GPU 0 had 5 corrected memory errors", "GPU 0 had 1 uncorrected memory error"}));
}

TEST(MachineFactsTest, ErrorsOfTheDriver) {
  EXPECT_EQ(TextsOf({{"accelerator", "XidError", "gpu3", 79}}),
            FactTexts{"GPU 3 reported error XID 79 (fell off the bus)"});
  EXPECT_EQ(TextsOf({{"accelerator", "XidError", "gpu3", 999}}),
            FactTexts{"GPU 3 reported error XID 999"});
  EXPECT_TRUE(FactsFrom({{"accelerator", "XidError", "gpu3", -1}}).empty());
}

TEST(MachineFactsTest, TheWorstIsFirst) {
  EXPECT_EQ(
      TextsOf({{"gpu", "GPUMemoryUtilization", "gpu0", 99},
               {"memory", "", "MemoryUsedPercent", 99},
               Throttled(64),
               {"accelerator", "XidError", "gpu0", 48}}),
      (FactTexts{"GPU 0 reported error XID 48 (double-bit ECC error)", "GPU 0 slowed down (heat)",
                 "host memory 99 % full", "GPU memory 99 % full (GPU 0)"}));
}

TEST(MachineFactsTest, OfSeveralMachinesTheNameIsSaid) {
  EXPECT_EQ(TextsOf({{"memory", "", "MemoryUsedPercent", 20, 0, "algo-1"},
                     {"memory", "", "MemoryUsedPercent", 99, 0, "algo-2"}}),
            FactTexts{"algo-2: host memory 99 % full"});
}

TEST(MachineFactsTest, HowMuchIsToldIsLimited) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("algo-" + std::to_string(i));
  std::vector<MachineSample> samples;
  for (const std::string& name : names) {
    samples.push_back({"memory", "", "MemoryUsedPercent", 99, 0, name});
    samples.push_back(Throttled(64, name));
  }
  const auto facts = FactsFrom(samples);
  EXPECT_EQ(facts.size(), 20u);
  EXPECT_EQ(facts[0].devices.size(), 64u);
}

TEST(MachineFactsTest, NonsenseIsIgnored) {
  const std::string long_name(65, 'x');
  EXPECT_TRUE(
      FactsFrom({Throttled(64, long_name), {"memory", "", "MemoryUsedPercent", 99, 0, long_name}})
          .empty());
  EXPECT_TRUE(FactsFrom({{"memory", "", "MemoryUsedPercent", 1e300},
                         Throttled(1e300),
                         Throttled(-8),
                         {"accelerator", "XidError", "gpu0", 1e12},
                         {"accelerator", "EccCorrectedErrors", "gpu0", -1e300},
                         {"accelerator", "EccCorrectedErrors", "gpu0", 1e300}})
                  .empty());
}

TEST(MachineFactsTest, AsJson) {
  const Json json = ToJson(FactsFrom({Throttled(64, "gpu1")}).at(0));
  EXPECT_EQ(json["event"], "gpu_slowdown");
  EXPECT_EQ(json["node"], "algo-1");
  EXPECT_EQ(json["devices"], Json::array({"gpu1"}));
  EXPECT_EQ(json["value"], 64);
  EXPECT_EQ(json["time"], kNow);
  EXPECT_EQ(json["text"], "GPU 1 slowed down (heat)");
  EXPECT_EQ(SlowLoaderFact(0.634).text, "data loader took 63 % of the step time");
  EXPECT_EQ(ToJson(SlowLoaderFact(0.634))["event"], "slow_loader");
}

}  // namespace
}  // namespace warden::watch
