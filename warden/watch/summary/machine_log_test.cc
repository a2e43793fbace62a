#include "warden/watch/summary/machine_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::watch {
namespace {

// The last minute of an hour.
constexpr int64_t kMinute = 1'699'999'140;

std::string MemoryLine(double time, double percent) {
  std::string line;
  format::AppendMetricLine({"memory", "MemoryUsedPercent", "", percent, "algo-1", time}, &line);
  return line;
}

class MachineLogTest : public testing::Test {
 protected:
  void Write(int64_t minute, const std::string& text) {
    folder_.Write(format::MetricFileKey(minute, "algo-1"), text);
  }

  timeline::ProfilerFolderForTest folder_;
};

TEST_F(MachineLogTest, WithoutSamplesNothingIsKnown) {
  EXPECT_TRUE(MachineLog("").Around(kMinute).empty());
  MachineLog log(folder_.path());
  for (const double time : {0.0, -5.0, 1e300, std::nan(""), double{kMinute}}) {
    EXPECT_TRUE(log.Around(time).empty());
  }
}

TEST_F(MachineLogTest, ReadsTheMinutesAroundAlsoOverTheEndOfAnHour) {
  Write(kMinute, MemoryLine(kMinute + 57, 96));
  Write(kMinute + 60, MemoryLine(kMinute + 61, 99) + MemoryLine(kMinute + 90, 98));
  MachineLog log(folder_.path());
  EXPECT_EQ(log.Around(kMinute + 45).size(), 0u);
  EXPECT_EQ(log.Around(kMinute + 50).at(0).text, "host memory 96 % full");
  EXPECT_EQ(log.Around(kMinute + 65).at(0).text, "host memory 99 % full");
  EXPECT_EQ(log.Around(kMinute + 65).at(0).time_s, kMinute + 57);
  EXPECT_EQ(log.Around(kMinute + 95).at(0).text, "host memory 98 % full");
}

TEST_F(MachineLogTest, ReadsAFileThatIsBeingWritten) {
  std::string key = format::MetricFileKey(kMinute, "algo-1");
  key.replace(key.rfind('.'), std::string::npos, format::kUnfinishedMetrics);
  folder_.Write(key, MemoryLine(kMinute + 1, 96) + "{\"Type\": \"mem");
  EXPECT_EQ(MachineLog(folder_.path()).Around(kMinute + 1).size(), 1u);
}

TEST_F(MachineLogTest, FilesOfOtherTimesAreNotOpened) {
  Write(kMinute, MemoryLine(kMinute + 1, 96));
  Write(kMinute - 3600, MemoryLine(kMinute + 1, 99));  // Its name says another time.
  EXPECT_EQ(MachineLog(folder_.path()).Around(kMinute + 1).at(0).text, "host memory 96 % full");
}

TEST_F(MachineLogTest, WhatIsOverIsReadOnce) {
  Write(kMinute, MemoryLine(kMinute + 1, 96));
  MachineLog log(folder_.path());
  EXPECT_EQ(log.Around(kMinute + 1).size(), 1u);
  Write(kMinute, "");
  EXPECT_EQ(log.Around(kMinute + 1).size(), 1u);
  EXPECT_TRUE(MachineLog(folder_.path()).Around(kMinute + 1).empty());
}

TEST_F(MachineLogTest, WhatGoesOnIsReadAgain) {
  const auto now = static_cast<double>(std::chrono::duration_cast<std::chrono::seconds>(
                                           std::chrono::system_clock::now().time_since_epoch())
                                           .count());
  const auto minute = static_cast<int64_t>(now) / 60 * 60;
  MachineLog log(folder_.path());
  EXPECT_TRUE(log.Around(now).empty());
  Write(minute, MemoryLine(now, 96));
  EXPECT_EQ(log.Around(now).size(), 1u);
}

}  // namespace
}  // namespace warden::watch
