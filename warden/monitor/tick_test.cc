#include "warden/monitor/tick.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "warden/format/metric_line.h"
#include "warden/monitor/monitor_for_test.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

TEST(Tick, SlotsAreMadeOnce) {
  Slots slots;
  const SlotId core = slots.Of(Metric::kCpu, "cpu0");
  EXPECT_NE(slots.Of(Metric::kCpu, "cpu1"), core);
  EXPECT_NE(slots.Of(Metric::kIoWait, "cpu0"), core);
  EXPECT_EQ(slots.Of(Metric::kCpu, "cpu0"), core);
  EXPECT_EQ(slots[slots.Of(Metric::kMemoryUsed)].name, "MemoryUsedPercent");
  EXPECT_EQ(slots.size(), 4U);
}

TEST(Tick, LinesReadBackAsTheyWere) {
  Slots slots;
  Tick tick;
  tick.time_s = 1767268801.25;
  const SlotId slot = slots.Of(Metric::kDeviceRead, "a \"disk\"");
  // Counts are kept to the last digit, the rest to the sixth.
  for (const double value : {0.0, 100.0, 137438953472.0, 33.33333333, 1e300, -2.5}) {
    tick.Put(slot, value);
  }
  tick.Put(slot, std::numeric_limits<double>::quiet_NaN());
  tick.Put(slot, std::numeric_limits<double>::infinity());
  std::string text;
  AppendTick(tick, slots, "algo-2", &text);
  std::vector<double> values;
  const auto read = format::ReadMetricLines(text, [&](const format::MetricLine& line) {
    values.push_back(line.value);
    EXPECT_EQ(line.type, "disk");
    EXPECT_EQ(line.dimension, "ReadBytesPerSecond");
    EXPECT_EQ(line.name, "a \"disk\"");
    EXPECT_EQ(line.node, "algo-2");
    EXPECT_EQ(line.time_s, 1767268801.25);
  });
  EXPECT_EQ(read.broken, 0) << read.first_broken;
  EXPECT_EQ(values, (std::vector<double>{0, 100, 137438953472, 33.3333, 1e300, -2.5}));
}

TEST(SourceFile, IsReadAnewFromItsStart) {
  const FilesForTest folder;
  SourceFile file(folder.path() + "/a");
  EXPECT_EQ(file.Read(), "");
  for (const size_t length : {0, 1, 2047, 2048, 4095, 4096, 4097, 8192, 100'000, 3}) {
    const std::string text(length, static_cast<char>('a' + length % 26));
    folder.Write("a", text);
    EXPECT_EQ(file.Read(), text);
    EXPECT_EQ(file.ReadStart(2), text.substr(0, 2));
  }
  EXPECT_EQ(SourceFile(folder.path()).Read(), "");  // A folder.
}

// Files that the kernel makes line by line come in pieces.
TEST(SourceFile, WholeFilesOfTheKernel) {
  for (const char* path : {"/proc/self/maps", "/proc/kallsyms", "/proc/self/smaps"}) {
    SourceFile file(path);
    const std::string_view text = file.Read();
    EXPECT_TRUE(text.empty() || text.ends_with('\n') || text.size() >= (4U << 20)) << path;
  }
}

}  // namespace
}  // namespace warden::monitor
