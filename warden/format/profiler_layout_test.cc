#include "warden/format/profiler_layout.h"

#include <gtest/gtest.h>

#include "warden/format/kernel_layout.h"

namespace warden::format {
namespace {

TEST(ProfilerLayout, FolderOfARun) {
  EXPECT_EQ(ProfilerFolder("runs/a"), "runs/a/profiler-output");
  EXPECT_EQ(ProfilerFolder("runs/a//"), "runs/a/profiler-output");
  EXPECT_EQ(ProfilerFolder("job/debug-output"), "job/profiler-output");
  EXPECT_EQ(ProfilerFolder("job/debug-output/"), "job/profiler-output");
  EXPECT_EQ(ProfilerFolder("debug-output"), "profiler-output");
  EXPECT_EQ(ProfilerFolder("job/my-debug-output"), "job/my-debug-output/profiler-output");
  EXPECT_EQ(ProfilerFolder("job/profiler-output"), "job/profiler-output");
  EXPECT_EQ(ProfilerFolder("/"), "/profiler-output");
  EXPECT_EQ(ProfilerFolder(""), "profiler-output");
}

TEST(ProfilerLayout, KeysCarryTheHourInUtc) {
  EXPECT_EQ(MetricFileKey(1767268800, "algo-1"),
            "system/incremental/2026010112/1767268800.algo-1.json");
  EXPECT_EQ(MetricFileKey(1767272340, "algo-12"),
            "system/incremental/2026010112/1767272340.algo-12.json");
  EXPECT_EQ(MetricFileKey(1767272400, "algo-1"),
            "system/incremental/2026010113/1767272400.algo-1.json");
  EXPECT_EQ(TimelineFileKey(1767268800123456, "88-algo-1", kPythonTimeline),
            "framework/pevents/2026010112/1767268800123456_88-algo-1_pythontimeline.json");
  EXPECT_EQ(MetricFileKey(0, "algo-1"), "system/incremental/1970010100/0000000000.algo-1.json");
}

TEST(ProfilerLayout, MetricFileNamesBothWays) {
  const auto name = ParseMetricFileKey(MetricFileKey(1767268800, "algo-7"));
  ASSERT_TRUE(name);
  EXPECT_EQ(name->seconds, 1767268800);
  EXPECT_EQ(name->node, "algo-7");
  EXPECT_TRUE(name->finished);
  const auto part = ParseMetricFileKey("system/incremental/2026010112/1767268800.algo-1.part");
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->finished);
  // As older versions of the original arranged them.
  EXPECT_TRUE(ParseMetricFileKey("system/incremental/1591160700.algo-1.json"));
}

TEST(ProfilerLayout, ForeignMetricFilesArePassedOver) {
  for (const std::string_view key :
       {"", "system/", "system/.json", "system/x/.algo-1.json", "system/x/1.json",
        "system/x/1..json", "system/x/1.algo-.json", "system/x/1.algo-1x.json",
        "system/x/1.host.json", "system/x/-1.algo-1.json", "system/x/1.algo-1.json.tmp",
        "framework/x/1.algo-1.json", "system/x/99999999999999999999.algo-1.json",
        "system/training_job_end.ts", "system/x/1.algo-1.json/"}) {
    EXPECT_FALSE(ParseMetricFileKey(key)) << key;
  }
}

TEST(ProfilerLayout, TimelineFileNamesBothWays) {
  const auto name =
      ParseTimelineFileKey(TimelineFileKey(1767268800123456, "88-algo-1", kModelTimeline));
  ASSERT_TRUE(name);
  EXPECT_EQ(name->end_us, 1767268800123456);
  EXPECT_EQ(name->node, "algo-1-88");
  EXPECT_EQ(name->suffix, kModelTimeline);
  EXPECT_TRUE(name->finished);
  const auto part = ParseTimelineFileKey("framework/0-my-host_pythontimeline.json.tmp");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->end_us, 0);
  EXPECT_EQ(part->node, "0-my-host");
  EXPECT_EQ(part->suffix, kPythonTimeline);
  EXPECT_FALSE(part->finished);
}

TEST(ProfilerLayout, ForeignTimelineFilesArePassedOver) {
  for (const std::string_view key :
       {"", "framework/pevents/x/_a_b.json", "framework/pevents/x/1_a.json",
        "framework/pevents/x/1__b.json", "framework/pevents/x/1_a_.json",
        "framework/pevents/x/1_a_b.txt", "framework/x/1_a_b.json", "framework/a_b.tmp",
        "framework/_b.json.tmp", "framework/a.json.tmp", "framework/.tmp",
        "framework/pevents/x/99999999999999999999_a_b.json",
        "framework/pytorch/pyinstrument/0-host/x/python_stats.json"}) {
    EXPECT_FALSE(ParseTimelineFileKey(key)) << key;
  }
}

TEST(ProfilerLayout, FilesOfKernelsAreNamedAsTimelinesAndAreNone) {
  const std::string key = TimelineFileKey(1767268800123456, "88-algo-1", kKernelTimeline);
  const auto closed = ParseKernelFileKey(key);
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->end_us, 1767268800123456);
  EXPECT_EQ(closed->node, "algo-1-88");
  EXPECT_TRUE(closed->finished);
  const auto part = ParseKernelFileKey("framework/0-my-host_kernels.bin.tmp");
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->finished);
  EXPECT_FALSE(ParseTimelineFileKey(key));
  EXPECT_FALSE(ParseTimelineFileKey("framework/0-my-host_kernels.bin.tmp"));
  for (const std::string_view other :
       {"framework/0-a_pythontimeline.json.tmp", "framework/0-a_xkernels.bin.tmp",
        "framework/kernels.bin", "framework/pevents/x/5_a_kernels.bin.tmp.gz"}) {
    EXPECT_FALSE(ParseKernelFileKey(other)) << other;
  }
}

}  // namespace
}  // namespace warden::format
