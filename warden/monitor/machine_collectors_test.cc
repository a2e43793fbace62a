// Memory, swap, load, pressure and containers.
#include <gtest/gtest.h>

#include "warden/monitor/collectors.h"
#include "warden/monitor/monitor_for_test.h"

namespace warden::monitor {
namespace {

constexpr char kMemInfo[] =
    "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    250 kB\n"
    "Buffers:          50 kB\nCached:          200 kB\nSwapTotal:       400 kB\n"
    "SwapFree:        100 kB\nDirty: 5 kB\n";

class MachineCollectorsTest : public testing::Test {
 protected:
  Values At(Collector* collector, double seconds) { return CollectAt(collector, seconds, &slots_); }

  FilesForTest folder_;
  Slots slots_;
};

TEST_F(MachineCollectorsTest, MemoryOfTheMachine) {
  folder_.Write("proc/meminfo", kMemInfo);
  const auto collector = MakeMemoryCollector(folder_.path());
  const Values values = At(collector.get(), 1);
  EXPECT_DOUBLE_EQ(values.at("memory//MemoryUsedPercent"), 75);
  EXPECT_DOUBLE_EQ(values.at("swap//SwapUsedPercent"), 75);
  EXPECT_EQ(values.size(), 2U);
}

TEST_F(MachineCollectorsTest, MemoryOnOldKernelsAndWithoutSwap) {
  folder_.Write("proc/meminfo",
                "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 200 kB\n"
                "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
  const auto collector = MakeMemoryCollector(folder_.path());
  const Values values = At(collector.get(), 1);
  EXPECT_DOUBLE_EQ(values.at("memory//MemoryUsedPercent"), 65);
  EXPECT_EQ(values.size(), 1U);
}

TEST_F(MachineCollectorsTest, HostileMemory) {
  const auto collector = MakeMemoryCollector(folder_.path());
  for (const char* text : {"", "MemTotal:", "MemTotal: x kB\nMemAvailable: 5 kB\n",
                           "MemTotal: 0 kB\nMemAvailable: 0 kB\n",
                           "MemTotal: 5 kB\nMemAvailable: 99999999999999999999999 kB\n",
                           "SwapTotal: 5 kB\nSwapFree: 50 kB\n"}) {
    folder_.Write("proc/meminfo", text);
    for (const auto& [name, value] : At(collector.get(), 1)) {
      EXPECT_GE(value, 0) << text;
      EXPECT_LE(value, 100) << text;
    }
  }
}

TEST_F(MachineCollectorsTest, MemoryOfAContainerOfVersion2) {
  folder_.Write("proc/meminfo", kMemInfo);
  folder_.Write("proc/self/cgroup", "0::/job/task\n");
  folder_.Write("sys/fs/cgroup/cgroup.controllers", "memory\n");
  folder_.Write("sys/fs/cgroup/job/task/memory.max", "max\n");
  folder_.Write("sys/fs/cgroup/job/memory.max", "512000\n");
  folder_.Write("sys/fs/cgroup/job/memory.current", "300000\n");
  folder_.Write("sys/fs/cgroup/job/memory.stat", "anon 5\nfile 70000\ninactive_file 44000\n");
  const auto collector = MakeMemoryCollector(folder_.path());
  const Values values = At(collector.get(), 1);
  EXPECT_DOUBLE_EQ(values.at("memory//MemoryUsedPercent"), 50);
  EXPECT_DOUBLE_EQ(values.at("container/UsedBytes/memory"), 256000);
  EXPECT_DOUBLE_EQ(values.at("container/LimitBytes/memory"), 512000);
}

TEST_F(MachineCollectorsTest, MemoryOfAContainerOfVersion1) {
  folder_.Write("proc/meminfo", kMemInfo);
  // The names that the groups have outside of the container; its own are at the top.
  folder_.Write("proc/self/cgroup", "4:memory:/docker/0123\n0::/\n");
  folder_.Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "102400\n");
  folder_.Write("sys/fs/cgroup/memory/memory.usage_in_bytes", "61440\n");
  folder_.Write("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 10240\n");
  const auto collector = MakeMemoryCollector(folder_.path());
  EXPECT_DOUBLE_EQ(At(collector.get(), 1).at("memory//MemoryUsedPercent"), 50);
}

TEST_F(MachineCollectorsTest, NoLimitIsTheMachine) {
  folder_.Write("proc/meminfo", kMemInfo);
  folder_.Write("proc/self/cgroup", "4:memory:/\n");
  folder_.Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const auto collector = MakeMemoryCollector(folder_.path());
  EXPECT_DOUBLE_EQ(At(collector.get(), 1).at("memory//MemoryUsedPercent"), 75);
}

TEST_F(MachineCollectorsTest, ProcessorTimeOfAContainerOfVersion2) {
  folder_.Write("proc/self/cgroup", "0::/\n");
  folder_.Write("sys/fs/cgroup/cgroup.controllers", "cpu\n");
  folder_.Write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  folder_.Write("sys/fs/cgroup/cpu.stat", "usage_usec 1000000\nnr_periods 10\nnr_throttled 1\n");
  const auto collector = MakeContainerCollector(folder_.path());
  EXPECT_TRUE(At(collector.get(), 1).empty());
  folder_.Write("sys/fs/cgroup/cpu.stat", "usage_usec 2000000\nnr_periods 20\nnr_throttled 6\n");
  const Values values = At(collector.get(), 2);
  EXPECT_DOUBLE_EQ(values.at("container/UsedPercent/cores"), 50);
  EXPECT_DOUBLE_EQ(values.at("container/ThrottledPercent/cores"), 50);
  EXPECT_DOUBLE_EQ(values.at("container/Limit/cores"), 2);
}

TEST_F(MachineCollectorsTest, ProcessorTimeOfAContainerOfVersion1) {
  folder_.Write("proc/self/cgroup", "2:cpu,cpuacct:/a\n");
  const std::string group = "sys/fs/cgroup/cpu,cpuacct/a/";
  folder_.Write(group + "cpu.cfs_quota_us", "50000\n");
  folder_.Write(group + "cpu.cfs_period_us", "100000\n");
  folder_.Write(group + "cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
  folder_.Write(group + "cpuacct.usage", "5000000000\n");
  const auto collector = MakeContainerCollector(folder_.path());
  At(collector.get(), 1);
  folder_.Write(group + "cpuacct.usage", "5250000000\n");
  EXPECT_DOUBLE_EQ(At(collector.get(), 2).at("container/UsedPercent/cores"), 50);
}

TEST_F(MachineCollectorsTest, NoContainer) {
  for (const char* quota : {"max 100000\n", "-1\n", "", "0 0\n", "5\n"}) {
    folder_.Write("proc/self/cgroup", "0::/../../x\n1:::\n:\n\n7\n");
    folder_.Write("sys/fs/cgroup/cgroup.controllers", "cpu\n");
    folder_.Write("sys/fs/cgroup/cpu.max", quota);
    const auto collector = MakeContainerCollector(folder_.path());
    At(collector.get(), 1);
    EXPECT_TRUE(At(collector.get(), 2).empty()) << quota;
  }
}

TEST_F(MachineCollectorsTest, Load) {
  folder_.Write("proc/loadavg", "0.20 1.18 2.12 3/80 11206\n");
  const auto collector = MakeLoadCollector(folder_.path());
  const Values values = At(collector.get(), 1);
  EXPECT_DOUBLE_EQ(values.at("load//Load1"), 0.2);
  EXPECT_DOUBLE_EQ(values.at("load//Load5"), 1.18);
  EXPECT_DOUBLE_EQ(values.at("load//Load15"), 2.12);
  EXPECT_DOUBLE_EQ(values.at("load//RunnableTasks"), 2);
  folder_.Write("proc/loadavg", "nan x\n");
  EXPECT_TRUE(At(collector.get(), 2).empty());
}

TEST_F(MachineCollectorsTest, Swap) {
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  folder_.Write("proc/vmstat", "nr_free_pages 5\npswpin 10\npswpout 20\n");
  const auto collector = MakeSwapCollector(folder_.path());
  EXPECT_TRUE(At(collector.get(), 1).empty());
  folder_.Write("proc/vmstat", "nr_free_pages 5\npswpin 12\npswpout 26\n");
  const Values values = At(collector.get(), 3);
  EXPECT_DOUBLE_EQ(values.at("swap//SwapInBytesPerSecond"), page);
  EXPECT_DOUBLE_EQ(values.at("swap//SwapOutBytesPerSecond"), 3 * page);
}

TEST_F(MachineCollectorsTest, Pressure) {
  const auto line = [](const char* kind, int total) {
    return fmt::format("{} avg10=1.00 avg60=2.00 avg300=3.00 total={}\n", kind, total);
  };
  folder_.Write("proc/pressure/io", line("some", 1000) + line("full", 500));
  folder_.Write("proc/pressure/cpu", line("some", 0));
  const auto collector = MakePressureCollector(folder_.path());
  EXPECT_TRUE(At(collector.get(), 1).empty());
  folder_.Write("proc/pressure/io", line("some", 251000) + line("full", 100500));
  folder_.Write("proc/pressure/cpu", line("some", 5'000'000));
  const Values values = At(collector.get(), 2);
  EXPECT_DOUBLE_EQ(values.at("pressure/SomePercent/io"), 25);
  EXPECT_DOUBLE_EQ(values.at("pressure/FullPercent/io"), 10);
  EXPECT_DOUBLE_EQ(values.at("pressure/SomePercent/cpu"), 100);
  EXPECT_EQ(values.size(), 3U);
  collector->Restart();
  EXPECT_TRUE(At(collector.get(), 3).empty());
}

}  // namespace
}  // namespace warden::monitor
