// Disks and network.
#include <gtest/gtest.h>

#include "warden/monitor/collectors.h"
#include "warden/monitor/monitor_for_test.h"

namespace warden::monitor {
namespace {

class TrafficTest : public testing::Test {
 protected:
  Values At(Collector* collector, double seconds) { return CollectAt(collector, seconds, &slots_); }

  // reads, sectors read, writes, sectors written, ms busy
  static std::string Disk(const std::string& name, int reads, int read, int writes, int written,
                          int busy) {
    return fmt::format(" 8 0 {} {} 7 {} 7 {} 7 {} 7 0 {} 7 1 2 3 4\n", name, reads, read, writes,
                       written, busy);
  }

  FilesForTest folder_;
  Slots slots_;
};

TEST_F(TrafficTest, WhatIsLeftOnTheDiskOfTheRun) {
  const auto collector = MakeSpaceCollector(folder_.path());
  const Values values = At(collector.get(), 1);
  EXPECT_GE(values.at("space/UsedPercent/run"), 0);
  EXPECT_LE(values.at("space/UsedPercent/run"), 100);
  EXPECT_GT(values.at("space/FreeBytes/run"), 0);
  EXPECT_TRUE(At(MakeSpaceCollector(folder_.path() + "/none").get(), 1).empty());
}

TEST_F(TrafficTest, DisksAndTheirSum) {
  folder_.Write("sys/block/sda/size", "1");
  folder_.Write("sys/block/nvme0n1/size", "1");
  folder_.Write("sys/block/dm-0/size", "1");
  folder_.Write("proc/diskstats", Disk("sda", 1, 10, 1, 10, 0) + Disk("sda1", 1, 10, 1, 10, 0) +
                                      Disk("nvme0n1", 0, 0, 0, 0, 0) + Disk("dm-0", 0, 0, 0, 0, 0));
  const auto collector = MakeDiskCollector(folder_.path());
  EXPECT_TRUE(At(collector.get(), 1).empty());
  folder_.Write("proc/diskstats", Disk("sda", 5, 30, 3, 14, 500) + Disk("sda1", 5, 30, 3, 14, 500) +
                                      Disk("nvme0n1", 2, 4, 2, 8, 9000) +
                                      Disk("dm-0", 70, 70, 70, 70, 70));
  const Values values = At(collector.get(), 3);
  EXPECT_DOUBLE_EQ(values.at("disk/ReadBytesPerSecond/sda"), 20 * 512 / 2.0);
  EXPECT_DOUBLE_EQ(values.at("disk/WriteBytesPerSecond/sda"), 4 * 512 / 2.0);
  EXPECT_DOUBLE_EQ(values.at("disk/IOPS/sda"), 3);
  EXPECT_DOUBLE_EQ(values.at("disk/BusyPercent/sda"), 25);
  EXPECT_DOUBLE_EQ(values.at("disk/BusyPercent/nvme0n1"), 100);
  EXPECT_DOUBLE_EQ(values.at("i/o//IOPS"), 5);
  EXPECT_DOUBLE_EQ(values.at("i/o//ReadThroughputInBytesPerSecond"), 24 * 512 / 2.0);
  EXPECT_DOUBLE_EQ(values.at("i/o//WriteThroughputInBytesPerSecond"), 12 * 512 / 2.0);
  EXPECT_EQ(values.size(), 11U);
}

TEST_F(TrafficTest, PartitionsByNameWhereNothingElseTells) {
  std::string text;
  for (const char* name : {"sda", "sda1", "nvme0n1", "nvme0n1p2", "mmcblk0", "mmcblk0p1", "vdb",
                           "vdb3", "xvda1", "loop0", "zram0", "md0"}) {
    text += Disk(name, 1, 1, 1, 1, 1);
  }
  folder_.Write("proc/diskstats", text);
  const auto collector = MakeDiskCollector(folder_.path());
  At(collector.get(), 1);
  std::string names;
  for (const auto& [name, value] : At(collector.get(), 2)) {
    if (name.starts_with("disk/IOPS/")) names += name.substr(10) + " ";
  }
  EXPECT_EQ(names, "mmcblk0 nvme0n1 sda vdb ");
}

TEST_F(TrafficTest, ADiskThatIsPluggedInLater) {
  folder_.Write("proc/diskstats", Disk("sda", 0, 0, 0, 0, 0));
  const auto collector = MakeDiskCollector(folder_.path());
  At(collector.get(), 1);
  folder_.Write("proc/diskstats", Disk("sdb", 1000, 1000, 0, 0, 0) + Disk("sda", 1, 2, 0, 0, 0));
  Values values = At(collector.get(), 2);
  EXPECT_FALSE(values.contains("disk/IOPS/sdb"));
  EXPECT_DOUBLE_EQ(values.at("i/o//IOPS"), 1);
  folder_.Write("proc/diskstats", Disk("sdb", 1003, 1000, 0, 0, 0));
  values = At(collector.get(), 3);
  EXPECT_DOUBLE_EQ(values.at("disk/IOPS/sdb"), 3);
}

TEST_F(TrafficTest, HostileDisks) {
  const auto collector = MakeDiskCollector(folder_.path());
  double seconds = 0;
  for (const std::string& text :
       {std::string("8 0"), std::string("8 0 sda 1 2 3\n"),
        std::string("8 0 ../x 1 2 3 4 5 6 7 8 9 10\n"), Disk("sda", -1, -1, -1, -1, -1),
        "8 0 sda " + std::string(500, '9') + " 1 1 1 1 1 1 1 1 1\n", std::string(9000, 'x')}) {
    folder_.Write("proc/diskstats", text);
    EXPECT_TRUE(At(collector.get(), ++seconds).empty()) << text.substr(0, 50);
  }
}

TEST_F(TrafficTest, Network) {
  const auto line = [](const char* name, uint64_t in, uint64_t out) {
    return fmt::format("{:>6}: {} 5 0 0 0 0 0 0 {} 5 0 0 0 0 0 0\n", name, in, out);
  };
  const std::string head =
      "Inter-|   Receive          |  Transmit\n face |bytes    packets errs|bytes    packets\n";
  folder_.Write("proc/net/dev", head + line("lo", 0, 0) + line("eth0", 100, 50) +
                                    line("veth12", 0, 0) + line("ib0", 0, 0));
  const auto collector = MakeNetworkCollector(folder_.path());
  EXPECT_TRUE(At(collector.get(), 1).empty());
  folder_.Write("proc/net/dev", head + line("lo", 900, 900) + line("eth0", 300, 150) +
                                    line("veth12", 900, 900) + line("ib0", 20, 10));
  const Values values = At(collector.get(), 3);
  EXPECT_DOUBLE_EQ(values.at("network/Algorithm/ReceiveBytesPerSecond"), 110);
  EXPECT_DOUBLE_EQ(values.at("network/Algorithm/TransmitBytesPerSecond"), 55);
  EXPECT_DOUBLE_EQ(values.at("interface/ReceiveBytesPerSecond/eth0"), 100);
  EXPECT_DOUBLE_EQ(values.at("interface/TransmitBytesPerSecond/ib0"), 5);
  EXPECT_EQ(values.size(), 6U);
  // A driver that was loaded again counts from 0.
  folder_.Write("proc/net/dev", head + line("eth0", 7, 7));
  EXPECT_DOUBLE_EQ(At(collector.get(), 4).at("network/Algorithm/ReceiveBytesPerSecond"), 0);
  for (const char* text :
       {"", "eth0", "eth0:", "eth0: 1 2 3", "eth0: a 1 1 1 1 1 1 1 b\n", ":::\n"}) {
    folder_.Write("proc/net/dev", text);
    EXPECT_TRUE(At(collector.get(), 5).empty()) << text;
  }
}

}  // namespace
}  // namespace warden::monitor
