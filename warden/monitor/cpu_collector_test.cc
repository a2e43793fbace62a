#include <gtest/gtest.h>

#include "warden/monitor/cgroup.h"
#include "warden/monitor/collectors.h"
#include "warden/monitor/monitor_for_test.h"

namespace warden::monitor {
namespace {

class CpuCollectorTest : public testing::Test {
 protected:
  Values Collect(const std::string& stat) {
    if (!collector_) collector_ = MakeCpuCollector(folder_.path());
    folder_.Write("proc/stat", stat);
    return CollectAt(collector_.get(), ++seconds_, &slots_);
  }

  FilesForTest folder_;
  std::unique_ptr<Collector> collector_;
  Slots slots_;
  double seconds_ = 0;
};

TEST_F(CpuCollectorTest, ShareOfEachCoreSinceTheLastReading) {
  EXPECT_TRUE(Collect("cpu  1 1 1 1 1 1 1 1 1 1\n"
                      "cpu0 100 0 50 1000 10 0 0 0 0 0\n"
                      "cpu1 200 0 50 2000 10 0 0 0 0 0\n"
                      "intr 25479379 0 0\n")
                  .empty());
  const Values values = Collect(
      "cpu  9 9 9 9 9 9 9 9 9 9\n"
      "cpu0 130 5 55 1040 20 3 3 4 0 0\n"
      "cpu1 200 0 50 2100 10 0 0 0 0 0\n"
      "intr 25479380 0 0\n");
  // Of cpu0 100 ticks passed: 40 idle and 10 waiting for disks.
  EXPECT_DOUBLE_EQ(values.at("cpu/CPUUtilization/cpu0"), 50);
  EXPECT_DOUBLE_EQ(values.at("cpu/I/OWaitPercentage/cpu0"), 10);
  EXPECT_DOUBLE_EQ(values.at("cpu/CPUUtilization/cpu1"), 0);
  EXPECT_EQ(values.size(), 4U);
}

TEST_F(CpuCollectorTest, ACoreThatVanishesAndComesBack) {
  Collect("cpu0 0 0 0 100\ncpu1 0 0 0 100\n");
  EXPECT_EQ(Collect("cpu0 10 0 0 110\n").size(), 2U);
  const Values values = Collect("cpu0 10 0 0 120\ncpu1 30 0 0 170\n");
  EXPECT_DOUBLE_EQ(values.at("cpu/CPUUtilization/cpu0"), 0);
  EXPECT_DOUBLE_EQ(values.at("cpu/CPUUtilization/cpu1"), 30);
}

TEST_F(CpuCollectorTest, NothingWhereTheKernelHasNotCountedYet) {
  Collect("cpu0 0 0 0 100\n");
  EXPECT_TRUE(Collect("cpu0 0 0 0 100\n").empty());
  EXPECT_DOUBLE_EQ(Collect("cpu0 1 0 0 103\n").at("cpu/CPUUtilization/cpu0"), 25);
}

TEST_F(CpuCollectorTest, CountsThatGoBackGiveNoNonsense) {
  Collect("cpu0 1000 0 0 1000 50\n");
  const Values values = Collect("cpu0 990 0 10 1010 40\n");
  EXPECT_DOUBLE_EQ(values.at("cpu/CPUUtilization/cpu0"), 50);
  EXPECT_DOUBLE_EQ(values.at("cpu/I/OWaitPercentage/cpu0"), 0);
}

TEST_F(CpuCollectorTest, HostileTexts) {
  const std::string huge(40, '9');
  Collect("cpu0 1 2 3 4 5 6 7 8 9 10\n");
  for (const std::string& text :
       {std::string(), std::string("cpu"), std::string("cpu0"), std::string("cpu0 1 2"),
        std::string("cpu0 a b c d\n"), std::string("cpu999999999999999999999 1 2 3 4\n"),
        "cpu99999999 1 2 3 4\n" + std::string("cpu-1 1 2 3 4\ncpux 1 2 3 4\n"),
        "cpu0 " + huge + " " + huge + " " + huge + " " + huge + "\n",
        "cpu0 " + std::string(100'000, '1'), std::string(100'000, '\n')}) {
    for (const auto& [name, value] : Collect(text)) {
      EXPECT_GE(value, 0) << name;
      EXPECT_LE(value, 100) << name;
    }
  }
}

TEST_F(CpuCollectorTest, NoFileAtAll) {
  auto collector = MakeCpuCollector(folder_.path() + "/nowhere");
  EXPECT_TRUE(CollectAt(collector.get(), 1, &slots_).empty());
}

TEST_F(CpuCollectorTest, ManyCores) {
  const auto stat = [](int ticks) {
    std::string text = "cpu  1 2 3 4 5 6 7 8 9 10\n";
    for (int core = 0; core < 500; ++core) {
      text += fmt::format("cpu{} {} 0 0 {} 0 0 0 0 0 0\n", core, 1'000'000'000 + ticks * core,
                          2'000'000'000 + ticks * (500 - core));
    }
    return text + "intr " + std::string(50'000, '0') + "\n";
  };
  Collect(stat(0));
  Collect(stat(1));
  const Values values = Collect(stat(2));
  EXPECT_EQ(values.size(), 1000U);
  EXPECT_DOUBLE_EQ(values.at("cpu/CPUUtilization/cpu499"), 99.8);
}

TEST_F(CpuCollectorTest, OnlyTheContainersCores) {
  folder_.Write("proc/self/cgroup", "0::/\n");
  folder_.Write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu memory\n");
  folder_.Write("sys/fs/cgroup/cpuset.cpus.effective", "1,3-4\n");
  std::string text;
  for (int core = 0; core < 6; ++core) text += fmt::format("cpu{} 0 0 0 0\n", core);
  Collect(text);
  text.clear();
  for (int core = 0; core < 6; ++core) text += fmt::format("cpu{} 1 0 0 1\n", core);
  const Values values = Collect(text);
  EXPECT_EQ(values.size(), 6U);
  EXPECT_TRUE(values.contains("cpu/CPUUtilization/cpu1"));
  EXPECT_TRUE(values.contains("cpu/CPUUtilization/cpu3"));
  EXPECT_TRUE(values.contains("cpu/CPUUtilization/cpu4"));
}

TEST(CoreList, Texts) {
  EXPECT_EQ(ParseCoreList("0-1\n"), (std::vector<bool>{true, true}));
  EXPECT_EQ(ParseCoreList("2"), (std::vector<bool>{false, false, true}));
  for (const char* text : {"", "a", "3-1", "1-", "-1", "0-99999999", "1,,x"}) {
    EXPECT_TRUE(ParseCoreList(text).empty()) << text;
  }
}

}  // namespace
}  // namespace warden::monitor
