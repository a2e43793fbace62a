#include "warden/cli/machine_summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "warden/cli/text.h"

namespace warden::cli {
namespace {

using monitor::Metric;

class MachineSummaryTest : public testing::Test {
 protected:
  void Put(Metric metric, const std::string& name, double value) {
    tick_.Put(slots_.Of(metric, name), value);
  }
  std::string Text() {
    summary_.Take(tick_, slots_);
    std::string text;
    for (const std::string& line : summary_.Lines({.width = 200})) text += line + "\n";
    return text;
  }

  monitor::Slots slots_;
  monitor::Tick tick_;
  MachineSummary summary_;
};

TEST_F(MachineSummaryTest, NothingMeasuredYet) {
  const std::string text = Text();
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_EQ(text.find("Training"), std::string::npos);
  EXPECT_EQ(summary_.Line().find("nan"), std::string::npos) << summary_.Line();
}

TEST_F(MachineSummaryTest, TheLastOfEachMetric) {
  Put(Metric::kCpu, "cpu0", 20);
  Put(Metric::kCpu, "cpu1", 60);
  Put(Metric::kMemoryUsed, "MemoryUsedPercent", 12.5);
  Put(Metric::kDeviceBusy, "sda\x1b[2J", 90);
  Put(Metric::kGpu, "gpu0", 87);
  Put(Metric::kGpuMemory, "gpu0", 25);
  Put(Metric::kProcessCount, "training", 3);
  const std::string text = Text();
  EXPECT_NE(text.find("CPU        ########............  40.0 %  2 cores"), std::string::npos)
      << text;
  EXPECT_NE(text.find("busiest cpu1 60.0 %"), std::string::npos);
  EXPECT_NE(text.find("gpu0"), std::string::npos);
  EXPECT_NE(text.find("processes 3"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);  // Names cannot move the cursor.
  for (const int width : {0, 20, 60, 80}) {
    for (const std::string& line : summary_.Lines({.width = width})) {
      EXPECT_LT(DisplayWidth(line), static_cast<size_t>(std::max(width, 60))) << line;
    }
  }
  // What is not measured at a tick stays as it was.
  tick_.values.clear();
  Put(Metric::kMemoryUsed, "MemoryUsedPercent", 50);
  summary_.Take(tick_, slots_);
  EXPECT_NE(summary_.Line().find("cpu 40.0 %"), std::string::npos);
  EXPECT_NE(summary_.Line().find("memory 50.0 %"), std::string::npos);
  EXPECT_NE(summary_.Line().find("gpu0 87.0 %"), std::string::npos);
}

}  // namespace
}  // namespace warden::cli
