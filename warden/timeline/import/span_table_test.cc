#include "warden/timeline/import/span_table.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

SpanTable SpansIn(const std::string& folder, SpanQuery query = {}) {
  query.args = true;
  auto table = ReadSpans(folder, query);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? std::move(table.value()) : SpanTable();
}

Json ArgsOf(const SpanTable& table, size_t i) {
  return table.Args(i).empty() ? Json() : ParseJson(table.Args(i)).value();
}

void ExpectRecorded(const SpanTable& table, const Json& expected) {
  ASSERT_EQ(table.size(), expected.size());
  for (size_t i = 0; i < table.size(); ++i) {
    const Span& span = table.spans[i];
    const Json row = {table.names.Text(table.event_names[i]),
                      table.names.Text(span.phase),
                      span.start_us,
                      span.end_us(),
                      span.duration_us,
                      table.phase_pids[i],
                      span.pid,
                      table.names.Text(span.node),
                      SourceName(span.source),
                      ArgsOf(table, i)};
    EXPECT_EQ(row, expected[i]) << i;
  }
}

TEST(SpanTableTest, ReadsTheRecordedRunAsTheOriginal) {
  const Json expected = ReadJsonFile(kRecorded / "expected.json")["run"];
  ExpectRecorded(SpansIn(kRecorded / "run"), expected["framework_all"]);
}

// Every one of the original's own samples: each kind of timeline.
class OriginalSamples : public testing::TestWithParam<const char*> {};

TEST_P(OriginalSamples, AreReadAsTheOriginalReadsThem) {
  if (!std::filesystem::exists(kOriginal)) GTEST_SKIP() << "the samples are not at hand";
  const Json expected = ReadJsonFile(kOriginal / "expected.json")[GetParam()]["framework"];
  const SpanTable table = SpansIn(kOriginal / GetParam());
  EXPECT_TRUE(table.problems.empty());
  ASSERT_EQ(table.size(), expected.size());
  for (size_t i = 0; i < table.size(); ++i) {
    const Json& row = expected[i];
    const Span& span = table.spans[i];
    EXPECT_EQ(Json(table.names.Text(table.event_names[i])), row["event_name"]) << i;
    EXPECT_EQ(Json(table.names.Text(span.phase)), row["event_phase"]) << i;
    EXPECT_EQ(Json(table.names.Text(span.node)), row["node_id"]) << i;
    EXPECT_EQ(Json(SourceName(span.source)), row["file_type"]) << i;
    EXPECT_EQ(table.starts_us[i], row["start_time"]) << i;
    EXPECT_EQ(table.durations_us[i], row["duration"]) << i;
    EXPECT_NEAR(span.start_us, row["start_time"].get<double>(), 0.5) << i;
    EXPECT_NEAR(span.duration_us, row["duration"].get<double>(), 1) << i;
    EXPECT_EQ(ArgsOf(table, i), row["event_args"]) << i;
    EXPECT_EQ(table.phase_pids[i], row["phase_pid"]) << i;
    EXPECT_EQ(span.pid, row["pid"]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OriginalSamples,
                         testing::Values("horovod_timeline_traces", "merge_traces", "test_traces",
                                         "tfprofiler_timeline_traces"));

constexpr char kBase[] =
    "[\n"
    R"({"name":"process_name","ph":"M","pid":0,"args":{"start_time_since_epoch_in_micros":1000}},)"
    "\n";
constexpr char kKey[] =
    "framework/pevents/2026010112/1767268800000000_88-algo-1_pythontimeline.json";

TEST(SpanTableTest, TurnsNodesAroundAndKeepsPhasesFromFileToFile) {
  ProfilerFolderForTest folder;
  folder.Write("framework/pevents/2026010112/1767268700000000_88-algo-1_pythontimeline.json",
               std::string(kBase) +
                   R"({"name":"process_name","ph":"M","pid":1,"args":{"name":"Forward"}})" + "]");
  folder.Write(kKey, R"([{"name":"a","ph":"X","pid":1,"ts":5,"dur":7}])");
  folder.Write("framework/pevents/2026010112/1767268800000000_89-algo-1_pythontimeline.json",
               R"([{"name":"a","ph":"X","pid":1,"ts":5,"dur":7}])");
  const SpanTable table = SpansIn(folder.path());
  ASSERT_EQ(table.size(), 2);
  EXPECT_EQ(table.names.Text(table.spans[0].node), "algo-1-88");
  EXPECT_EQ(table.names.Text(table.spans[0].phase), "Forward");
  EXPECT_EQ(table.spans[0].start_us, 1005);
  // Another process counts its phases in another way, and from another moment.
  EXPECT_EQ(table.names.Text(table.spans[1].phase), "Unknown");
  EXPECT_EQ(table.spans[1].start_us, 5);
}

TEST(SpanTableTest, ReadsUnfinishedFilesUpToTheLastWholeEvent) {
  ProfilerFolderForTest folder;
  folder.Write("framework/88-algo-1_pythontimeline.json.tmp",
               std::string(kBase) + R"({"name":"a","ph":"X","pid":1,"ts":5,"dur":7},)" + "\n" +
                   R"({"name":"b","ph":"X","pid":1,"ts":5,"du)");
  const SpanTable table = SpansIn(folder.path());
  ASSERT_EQ(table.size(), 1);
  EXPECT_TRUE(table.problems.empty());
  SpanQuery query;
  query.unfinished = false;
  EXPECT_EQ(SpansIn(folder.path(), query).size(), 0);
}

TEST(SpanTableTest, OnlyWhatOverlapsTheRangeAndHasTheSuffix) {
  ProfilerFolderForTest folder;
  folder.Write(kKey, R"([{"name":"a","ph":"X","pid":1,"ts":10,"dur":10}])");
  SpanQuery query;
  query.buffer_us = INT64_MAX;
  for (const auto& [start, end, count] :
       {std::tuple(0, 9, 0), {0, 10, 1}, {12, 13, 1}, {20, 99, 1}, {21, 99, 0}}) {
    query.range = {start, end};
    EXPECT_EQ(SpansIn(folder.path(), query).size(), count) << start;
  }
  query.range = {};
  query.suffixes = {"model_timeline.json"};
  EXPECT_EQ(SpansIn(folder.path(), query).size(), 0);
  query.suffixes.push_back("pythontimeline.json");
  EXPECT_EQ(SpansIn(folder.path(), query).size(), 1);
}

TEST(SpanTableTest, FilesOfOtherKindsAreLeftAlone) {
  ProfilerFolderForTest folder;
  folder.Write("framework/pytorch/pyinstrument/1-a/x_y/python_stats.json",
               R"({"root_frame": null})");
  folder.Write("framework/notes.json", "[]");
  folder.Write("framework/pevents/2026010112/1_a_other.json", R"([{"ph":"X"}])");
  const SpanTable table = SpansIn(folder.path());
  EXPECT_EQ(table.size(), 0);
  EXPECT_TRUE(table.problems.empty());
}

void WriteGzip(const std::string& path, std::string_view text) {
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(file);
}

constexpr char kTorch[] = R"json({"schemaVersion": 1, "deviceProperties": [{"id": 0}],
  "traceEvents": [
  {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 7, "tid": 8, "ts": 1.25, "dur": 2.5,
   "args": {"External id": 1}},
  {"ph": "X", "cat": "kernel", "name": "void k<float>(\"x\")", "pid": 0, "tid": "stream 7",
   "ts": 9, "dur": 1, "args": {"device": 2, "stream": 7}},
  {"ph": "i", "s": "g", "name": "Record", "pid": "Traces", "tid": "Trace", "ts": 3},
  {"ph": "X", "cat": "other", "name": "s", "pid": "Spans", "tid": "PyTorch", "ts": 0, "dur": 1}
  ], "traceName": "x"})json";

TEST(SpanTableTest, ReadsTracesOfPyTorchPackedOrNot) {
  ProfilerFolderForTest folder;
  folder.Write("trace.json", kTorch);
  WriteGzip(folder.PathOf("trace.json.gz"), kTorch);
  for (const char* name : {"trace.json", "trace.json.gz"}) {
    const auto read = ReadSpansOfFile(folder.PathOf(name), {});
    ASSERT_TRUE(read.ok()) << read.status().message();
    const SpanTable& table = read.value();
    ASSERT_EQ(table.size(), 3);
    EXPECT_EQ(table.names.Text(table.spans[0].phase), "cpu_functions");
    EXPECT_EQ(table.spans[0].start_us, 1);
    EXPECT_EQ(table.spans[0].end_us(), 4);
    EXPECT_EQ(table.names.Text(table.spans[1].phase), "gpu_functions-dev:2");
    EXPECT_EQ(table.names.Text(table.spans[1].name), "void k<float>(\"x\")");
    EXPECT_EQ(table.names.Text(table.spans[2].phase), "Spans");
  }
}

TEST(SpanTableTest, DamagedGzipFilesAreToldAndTheOthersRead) {
  ProfilerFolderForTest folder;
  const std::string below = "framework/tensorflow/detailed_profiling/2026010112/000000001/";
  folder.Write(below + "1-a_100_200.metadata", "");
  folder.Write(below + "plugins/profile/x/bad.trace.json.gz", "no gzip at all");
  WriteGzip(folder.PathOf(below + "plugins/profile/x/host.trace.json.gz"), kTorch);
  const std::string whole = ReadText(folder.PathOf(below + "plugins/profile/x/host.trace.json.gz"));
  folder.Write(below + "plugins/profile/x/cut.trace.json.gz", whole.substr(0, whole.size() / 2));
  const SpanTable table = SpansIn(folder.path());
  ASSERT_GE(table.size(), 3);
  EXPECT_EQ(table.spans.back().start_us, 100);
  EXPECT_EQ(table.names.Text(table.spans.back().node), "host");
  ASSERT_GE(table.problems.size(), 1);
  EXPECT_NE(table.problems[0].find("bad.trace.json.gz"), std::string::npos);
}

TEST(SpanTableTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_EQ(ReadSpans("/nonexistent/profiler-output", {}).status().code(), Code::kNotFound);
  EXPECT_EQ(ReadSpansOfFile("/nonexistent/trace.json", {}).status().code(), Code::kIo);
}

}  // namespace
}  // namespace warden::timeline
