#include "warden/timeline/metric_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

MetricTable MetricsIn(const std::string& folder, const MetricQuery& query = {}) {
  auto table = ReadMetrics(folder, query);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? std::move(table.value()) : MetricTable();
}

Json Row(const MetricTable& table, size_t i) {
  return {table.names.Text(table.types[i]),      table.names.Text(table.metrics[i]),
          table.names.Text(table.dimensions[i]), table.values[i],
          table.names.Text(table.nodes[i]),      table.times_s[i]};
}

void ExpectRows(const MetricTable& table, const Json& expected) {
  ASSERT_EQ(table.size(), expected.size());
  for (size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(Row(table, i), expected[i]) << i;
    EXPECT_EQ(table.times_us[i], std::llround(expected[i][5].get<double>() * 1e6));
  }
}

std::string Line(double time_s, const std::string& name = "cpu0", const std::string& type = "cpu") {
  return R"({"Type":")" + type + R"(","Name":")" + name +
         R"(","Dimension":"CPUUtilization","Value":1.5,"NodeId":"algo-1","Timestamp":)" +
         std::to_string(time_s) + "}\n";
}

TEST(MetricTableTest, ReadsTheRecordedRunAsTheOriginal) {
  const Json expected = ReadJsonFile(kRecorded / "expected.json")["run"];
  const std::string folder = kRecorded / "run";
  ExpectRows(MetricsIn(folder), expected["system_all"]);
  MetricQuery gpus;
  gpus.types = {"gpu"};
  ExpectRows(MetricsIn(folder, gpus), expected["system_gpu"]);
  const Json& second = expected["system_second"];
  MetricQuery query;
  query.range = {std::llround(second.front()[5].get<double>() * 1e6),
                 std::llround(second.back()[5].get<double>() * 1e6)};
  ExpectRows(MetricsIn(folder, query), second);
}

TEST(MetricTableTest, ReadsTheOriginalsOwnSamples) {
  if (!std::filesystem::exists(kOriginal)) GTEST_SKIP() << "the samples are not at hand";
  const Json expected = ReadJsonFile(kOriginal / "expected.json")["test_traces"]["system"];
  const MetricTable table = MetricsIn(kOriginal / "test_traces");
  ASSERT_EQ(table.size(), expected.size());
  for (size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(Json(table.names.Text(table.metrics[i])), expected[i]["name"]);
    EXPECT_EQ(Json(table.names.Text(table.dimensions[i])), expected[i]["dimension"]);
    EXPECT_EQ(table.values[i], expected[i]["value"]);
    EXPECT_NEAR(table.times_s[i], expected[i]["timestamp"], 1e-6);
  }
}

TEST(MetricTableTest, ReadsFilesThatAreBeingWrittenIfAsked) {
  ProfilerFolderForTest folder;
  folder.Write("system/incremental/2026010112/1767268800.algo-1.json", Line(1767268800.5));
  folder.Write("system/incremental/2026010112/1767268860.algo-1.part",
               Line(1767268860.5) + R"({"Type":"cp)");
  EXPECT_EQ(MetricsIn(folder.path()).size(), 2);
  EXPECT_EQ(MetricsIn(folder.path()).broken, 0);
  MetricQuery finished;
  finished.unfinished = false;
  EXPECT_EQ(MetricsIn(folder.path(), finished).size(), 1);
}

TEST(MetricTableTest, BothEndsOfTheRangeCount) {
  ProfilerFolderForTest folder;
  folder.Write("system/incremental/1767268800.algo-1.json",
               Line(1767268800.0) + Line(1767268801.0) + Line(1767268802.0));
  MetricQuery query;
  query.range = {1767268800000000, 1767268801000000};
  EXPECT_EQ(MetricsIn(folder.path(), query).size(), 2);
  query.range = {1767268800000001, 1767268801999999};
  EXPECT_EQ(MetricsIn(folder.path(), query).size(), 1);
}

TEST(MetricTableTest, BrokenLinesAreToldAndTheOthersRead) {
  ProfilerFolderForTest folder;
  folder.Write("system/incremental/1767268800.algo-1.json",
               Line(1767268800) + "nonsense\n{}\n" + Line(1e300) + Line(1767268801) +
                   R"({"Type":"cpu","Dimension":"","Value":2,"NodeId":"algo-1","Timestamp":1})");
  const MetricTable table = MetricsIn(folder.path());
  ASSERT_EQ(table.size(), 3);
  EXPECT_EQ(table.names.Text(table.metrics[2]), "");
  EXPECT_EQ(table.broken, 3);
  ASSERT_EQ(table.problems.size(), 1);
  EXPECT_NE(table.problems[0].find("1767268800.algo-1.json"), std::string::npos);
}

TEST(MetricTableTest, LooksOnlyIntoFilesNearTheRange) {
  ProfilerFolderForTest folder;
  // Names far away from what is asked for: only the one before and the next one are looked into.
  for (const int minute : {0, 60, 120, 180, 240}) {
    folder.Write("system/incremental/2026010112/" + std::to_string(1767268800 + minute * 60) +
                     ".algo-1.json",
                 Line(1767268800 + 7200, "cpu" + std::to_string(minute)));
  }
  MetricQuery query;
  query.range = {(1767268800 + 7199) * 1000000LL, (1767268800 + 7201) * 1000000LL};
  const MetricTable table = MetricsIn(folder.path(), query);
  ASSERT_EQ(table.size(), 3);
  EXPECT_EQ(table.names.Text(table.metrics[0]), "cpu60");
  EXPECT_EQ(table.names.Text(table.metrics[2]), "cpu180");
}

// Enough for a second thread: its names have other numbers, and its lines come after the others.
TEST(MetricTableTest, TwoThreadsGiveTheSameTable) {
  ProfilerFolderForTest folder;
  for (int file = 0; file < 4; ++file) {
    std::string text;
    const int first = 1767268800 + file * 60;
    for (int i = 0; i < 25000; ++i) {
      text += Line(first + i * 1e-3, "cpu" + std::to_string((i + file * 3) % 48));
    }
    folder.Write("system/incremental/" + std::to_string(first) + ".algo-1.json", text);
  }
  MetricQuery alone;
  alone.threads = 1;
  MetricQuery together;
  together.threads = 2;
  const MetricTable one = MetricsIn(folder.path(), alone);
  const MetricTable two = MetricsIn(folder.path(), together);
  ASSERT_EQ(one.size(), 100000);
  ASSERT_EQ(two.size(), one.size());
  EXPECT_EQ(two.times_us, one.times_us);
  for (size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(two.names.Text(two.metrics[i]), one.names.Text(one.metrics[i]));
  }
}

TEST(MetricTableTest, AFolderThatIsNotThereIsAnErrorAnEmptyOneIsNot) {
  EXPECT_EQ(ReadMetrics("/nonexistent/profiler-output", {}).status().code(), Code::kNotFound);
  ProfilerFolderForTest folder;
  EXPECT_EQ(MetricsIn(folder.path()).size(), 0);
}

}  // namespace
}  // namespace warden::timeline
