#include "warden/view/metrics/run_metrics.h"

#include <gtest/gtest.h>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/metric_table.h"
#include "warden/timeline/timeline_for_test.h"
#include "warden/view/metrics/metrics_for_test.h"

namespace warden::view {
namespace {

using timeline::ProfilerFolderForTest;

constexpr int64_t kMinute = 1'700'000'040;
constexpr double kMinuteStart = 1'700'000'040;
const std::string kUnfinished = "system/incremental/2023111422/1700000040.algo-1.part";
const std::string kFinished = "system/incremental/2023111422/1700000040.algo-1.json";

size_t MomentsOf(const RunMetrics& metrics, const std::string& node = "algo-1") {
  size_t size = 0;
  metrics.Look([&](const RunMetrics::Nodes& nodes) {
    const auto found = nodes.find(node);
    if (found != nodes.end()) size = found->second->size();
  });
  return size;
}

TEST(RunMetrics, ReadsTheRecordedRun) {
  const std::string folder = timeline::kRecorded / "run";
  RunMetrics metrics(folder);
  metrics.WaitUntilRead();
  EXPECT_TRUE(metrics.state().done);
  EXPECT_EQ(metrics.state().read, metrics.state().total);
  EXPECT_TRUE(metrics.problems().empty());
  const auto table = timeline::ReadMetrics(folder, {});
  ASSERT_TRUE(table.ok());
  size_t values = 0;
  double sum = 0;
  metrics.Look([&](const RunMetrics::Nodes& nodes) {
    ASSERT_EQ(nodes.size(), 2);
    for (const auto& [name, node] : nodes) {
      for (const auto& column : node->metrics()) {
        const MetricStretch all = column->levels.Range(0, node->size());
        values += all.count;
        sum += all.sum;
      }
    }
  });
  double expected = 0;
  for (const double value : table.value().values) expected += value;
  EXPECT_EQ(values, table.value().size());
  EXPECT_NEAR(sum, expected, expected * 1e-5);
  metrics.LookAtSteps([](const StepTimes& steps) { EXPECT_TRUE(steps.loop().has_value()); });
}

TEST(RunMetrics, ReadsTheOriginalsSamples) {
  if (!std::filesystem::exists(timeline::kOriginal)) GTEST_SKIP() << "the samples are not at hand";
  RunMetrics metrics(timeline::kOriginal / "test_traces");
  metrics.WaitUntilRead();
  EXPECT_GT(MomentsOf(metrics), 2);
}

TEST(RunMetrics, FollowsARunThatGrows) {
  ProfilerFolderForTest folder;
  RunMetrics metrics(folder.path());
  metrics.WaitUntilRead();
  EXPECT_FALSE(metrics.last_time().has_value());
  folder.Write(kUnfinished,
               MomentText(kMinuteStart, 1, 3, 5) + MomentText(kMinuteStart + 1, 1, 3, 5));
  while (MomentsOf(metrics) < 1) metrics.WaitUntilRead();
  // The rest of a line may come later, and the file gets its name meanwhile.
  const std::string more =
      MomentText(kMinuteStart + 2, 50, 60, 70) + MomentText(kMinuteStart + 3, 1, 1, 1);
  folder.Append(kUnfinished, more.substr(0, 30));
  metrics.WaitUntilRead();
  folder.Append(kUnfinished, more.substr(30));
  folder.Rename(kUnfinished, kFinished);
  folder.Write(format::MetricFileKey(kMinute + 60, "algo-1"),
               MomentText(kMinuteStart + 60, 9, 9, 9));
  while (MomentsOf(metrics) < 5) metrics.WaitUntilRead();
  metrics.WaitUntilRead();
  EXPECT_EQ(MomentsOf(metrics), 5);
  EXPECT_EQ(metrics.last_time(), kMinuteStart + 60);
  metrics.Look([](const RunMetrics::Nodes& nodes) {
    const NodeTable& node = *nodes.at("algo-1");
    EXPECT_EQ(node.whole(Whole::kCpu).At(2), 55);
    EXPECT_EQ(node.whole(Whole::kNetwork).At(4), 120);
    EXPECT_EQ(node.whole(Whole::kNetworkOut).At(4), 20);
  });
}

TEST(RunMetrics, StaysWithinItsBudget) {
  ProfilerFolderForTest folder;
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += MomentText(kMinuteStart + i, i % 100, 1, 2);
  folder.Write(kFinished, text);
  RunMetrics metrics(folder.path(), {.budget = 400'000});
  metrics.WaitUntilRead();
  EXPECT_EQ(MomentsOf(metrics), 30'000);
  EXPECT_LE(metrics.bytes(), 400'000);
  metrics.Look([](const RunMetrics::Nodes& nodes) {
    const NodeTable& node = *nodes.at("algo-1");
    const MetricStretch all = node.Find("cpu/cpu0/CPUUtilization")->Range(0, node.size());
    EXPECT_EQ(all.count, 30'000);
    EXPECT_EQ(all.high, 99);
    EXPECT_NEAR(all.mean(), 49.5, 0.01);
    EXPECT_NEAR(node.TimeAt(10'000), kMinuteStart + 10'000, 20);
  });
}

TEST(RunMetrics, SurvivesHostileFiles) {
  ProfilerFolderForTest folder;
  const std::string good = MomentText(kMinuteStart, 1, 2, 3);
  folder.Write(kFinished, "no json\n{\"Type\": 5}\n" + good + "{\"Type\":\"cpu\",\"Val");
  folder.Write("system/incremental/2023111422/1700000040.algo-x.json", good);
  folder.Write("system/incremental/2023111422/99999999999999999999.algo-2.json", good);
  folder.Write("system/1700000100.algo-3.json", std::string(3 << 20, 'x'));
  folder.Write("framework/pevents/2023111422/1700000041000000_88-algo-1_pythontimeline.json",
               "[{\"name\": 3}, {]]}");
  std::filesystem::create_symlink("/dev/zero",
                                  folder.PathOf("system/incremental/1700000100.algo-1.json"));
  std::filesystem::create_directories(folder.PathOf("system/1700000160.algo-1.json"));
  RunMetrics metrics(folder.path());
  metrics.WaitUntilRead();
  EXPECT_TRUE(metrics.state().done);
  EXPECT_EQ(MomentsOf(metrics), 1);
  ASSERT_FALSE(metrics.problems().empty());
  EXPECT_NE(metrics.problems()[0].find("invalid lines"), std::string::npos);
}

TEST(RunMetrics, TellsOfLinesThatComeTooLate) {
  ProfilerFolderForTest folder;
  folder.Write(kFinished,
               MomentText(kMinuteStart + 50, 1, 2, 3) + MomentText(kMinuteStart, 1, 2, 3));
  RunMetrics metrics(folder.path());
  metrics.WaitUntilRead();
  ASSERT_EQ(metrics.problems().size(), 1);
  EXPECT_EQ(metrics.problems()[0].rfind("skipped 5 lines of algo-1", 0), 0);
}

TEST(RunMetrics, OfNothingHasNothing) {
  RunMetrics metrics("");
  metrics.WaitUntilRead();
  EXPECT_TRUE(metrics.state().done);
  EXPECT_FALSE(metrics.last_time().has_value());
  RunMetrics missing("/nowhere/at/all");
  missing.WaitUntilRead();
  EXPECT_TRUE(missing.state().done);
}

}  // namespace
}  // namespace warden::view
