#include "warden/view/timeline/run_timeline.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/view/timeline/timeline_answers.h"
#include "warden/view/timeline/trace_for_test.h"

namespace warden::view {
namespace {

using timeline::ProfilerFolderForTest;
using Snapshot = std::shared_ptr<const TimelineSnapshot>;

std::vector<std::string> TrackTexts(const Snapshot& snapshot) {
  std::vector<std::string> texts;
  for (const TrackId id : snapshot->order) {
    const auto& [name, index] = snapshot->tracks[id];
    texts.push_back(fmt::format("{}/{}/{}/{}: {} in {}", name.host, name.gpu ? "GPU" : "CPU",
                                name.process, name.name, index->size(), index->rows().size()));
  }
  return texts;
}

// The only event of that name.
EventId IdOf(const Snapshot& snapshot, std::string_view name) {
  EventId found = UINT32_MAX;
  for (EventId id = 0; id < snapshot->events; ++id) {
    if (snapshot->store->name(id) != name) continue;
    EXPECT_EQ(found, UINT32_MAX) << "several events are called " << name;
    found = id;
  }
  EXPECT_NE(found, UINT32_MAX) << "no event is called " << name;
  return found == UINT32_MAX ? 0 : found;
}

void MakeOld(const std::string& path) {
  namespace fs = std::filesystem;
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(1));
}

TEST(RunTimeline, TheRecordedRun) {
  const RunTimeline timeline(timeline::kRecorded / "run");
  const Snapshot snapshot = timeline.WaitUntilRead();
  const Json json = TimelineJson(*snapshot);
  EXPECT_TRUE(json["state"]["done"]);
  EXPECT_EQ(json["state"]["read"], json["state"]["total"]);
  EXPECT_EQ(json["problems"], Json::array());
  EXPECT_EQ(json["tracks"][0]["host"], "vm");
  EXPECT_EQ(json["tracks"][0]["process"], "process 8616");
  EXPECT_EQ(json["tracks"][0]["name"], "Step:ModeKeys.TRAIN");
  // The first event of the file; its arguments are read again from there.
  const Json event = EventJson(timeline, *snapshot, 0);
  EXPECT_EQ(event["name"], "fc1");
  EXPECT_EQ(event["category"], "Forward-SubModuleInternal");
  EXPECT_EQ(event["duration"], 5894.0);
  EXPECT_EQ(event["step"], 0);
  EXPECT_EQ(event["args"], (Json{{"pid", 8616}, {"step_num", "0"}}));
  EXPECT_EQ(event["start"].get<double>() + json["start"].get<double>(),
            1794705514559656.0 + 9218.0);
}

TEST(RunTimeline, TheOriginalsSamples) {
  if (!std::filesystem::exists(timeline::kOriginal)) return;
  size_t events = 0;
  for (const auto& entry : std::filesystem::directory_iterator(timeline::kOriginal)) {
    const RunTimeline timeline(entry.path());
    const Snapshot snapshot = timeline.WaitUntilRead();
    events += snapshot->events;
    if (snapshot->events == 0) continue;
    for (const EventId id : {EventId{0}, static_cast<EventId>(snapshot->events - 1)}) {
      EXPECT_EQ(EventJson(timeline, *snapshot, id)["id"], id);
    }
  }
  EXPECT_GT(events, 100u);
}

TEST(RunTimeline, TwoHostsWithPhasesThreadsAndStreams) {
  ProfilerFolderForTest folder;
  for (const std::string host : {"algo-2", "algo-1"}) {
    TraceForTest trace;
    trace.Add("Forward", "Net", 10, 30, R"("pid": 88, "step_num": "4")")
        .Add("Step:ModeKeys.TRAIN", "step", 0, 100)
        .Add("cpu_functions", "outer", 10, 20, R"("tid": 12, "device": "cpu")")
        .Add("cpu_functions", "inner", 12, 5, R"("tid": 12, "device": "cpu")")
        .Add("cpu_functions", "op", 12, 5, R"("tid": 2, "device": "cpu")")
        .Add("gpu_functions-dev:1", "kernel", 15, 9, R"("tid": 7, "device": 1)")
        .Add("DataLoaderWorker", "fetch", 0, 40, R"("worker_id": 3, "pid": 90)")
        .Add("DataLoaderWorker", "fetch", 0, 40, R"("worker_id": 1, "pid": 91)");
    folder.Write(ClosedTrace("88-" + host), trace.Whole());
  }
  const RunTimeline timeline(folder.path());
  const Snapshot snapshot = timeline.WaitUntilRead();
  EXPECT_EQ(snapshot->events, 16u);
  std::vector<std::string> expected;
  for (const std::string host : {"algo-1", "algo-2"}) {
    for (const std::string rest :
         {"CPU/process 88/Step:ModeKeys.TRAIN: 1 in 1", "CPU/process 88/Forward: 1 in 1",
          "CPU/process 88/DataLoaderWorker 1: 1 in 1", "CPU/process 88/DataLoaderWorker 3: 1 in 1",
          "CPU/process 88/operators, thread 2: 1 in 1",
          "CPU/process 88/operators, thread 12: 2 in 2",
          "GPU/GPU 1, process 88/stream 7: 1 in 1"}) {
      expected.push_back(host + "/" + rest);
    }
  }
  EXPECT_EQ(TrackTexts(snapshot), expected);
  EXPECT_EQ(snapshot->start_ns, kStartUs * 1000);
  EXPECT_EQ(snapshot->end_ns, (kStartUs + 100) * 1000);
}

TEST(RunTimeline, KernelsAreConnectedToTheOperatorsTheyName) {
  ProfilerFolderForTest folder;
  TraceForTest trace;
  const std::string launch =
      fmt::format(R"("tid": 7, "event_name": "aten::conv2d", "start_cpu_thread": 12, )"
                  R"("cpu_thread_start_time": {})",
                  kStartUs + 10);
  // Before and after its operator, within which another begins at the same moment.
  trace.Add("gpu_functions-dev:0", "kernel 1", 30, 5, launch)
      .Add("cpu_functions", "aten::convolution", 10, 15, R"("tid": 12)")
      .Add("cpu_functions", "aten::conv2d", 10, 20, R"("tid": 12)")
      .Add("cpu_functions", "aten::conv2d", 10, 20, R"("tid": 13)")
      .Add("gpu_functions-dev:0", "kernel 2", 40, 5, launch);
  folder.Write(ClosedTrace("88-algo-1"), trace.Whole());
  const RunTimeline timeline(folder.path());
  const Snapshot snapshot = timeline.WaitUntilRead();
  ASSERT_EQ(snapshot->links->size(), 2u);
  const Json kernel = EventJson(timeline, *snapshot, IdOf(snapshot, "kernel 2"));
  ASSERT_EQ(kernel["connected"].size(), 1u);
  EXPECT_EQ(kernel["connected"][0]["kind"], "launch");
  EXPECT_EQ(kernel["connected"][0]["name"], "aten::conv2d");
  EXPECT_EQ(kernel["args"]["event_name"], "aten::conv2d");
  const EventId operator_id = kernel["connected"][0]["id"];
  EXPECT_EQ(operator_id, 2u);
  const Json launcher = EventJson(timeline, *snapshot, operator_id);
  ASSERT_EQ(launcher["connected"].size(), 2u);
  EXPECT_EQ(launcher["connected"][0]["kind"], "run");
  EXPECT_EQ(launcher["connected"][0]["name"], "kernel 1");
  EXPECT_EQ(launcher["connected"][1]["name"], "kernel 2");
  EXPECT_EQ(launcher["self"], 5.0);
}

// The second host's clock is 12.3 ms ahead: without it, its kernel would begin after 12.33 ms.
TEST(RunTimeline, TimesOfAllHostsAreByOneClock) {
  ProfilerFolderForTest folder;
  constexpr int64_t kAhead = 12'300;
  const auto write = [&](std::string_view node, int64_t ahead) {
    const std::string launch =
        fmt::format(R"("tid": 7, "event_name": "aten::conv2d", "start_cpu_thread": 12, )"
                    R"("cpu_thread_start_time": {})",
                    kStartUs + ahead + 10);
    TraceForTest trace;
    trace.Add("cpu_functions", "aten::conv2d", ahead + 10, 20, R"("tid": 12)")
        .Add("gpu_functions-dev:0", fmt::format("kernel of {}", node), ahead + 30, 5, launch);
    folder.Write(ClosedTrace(node), trace.Whole());
  };
  write("88-algo-1", 0);
  write("88-algo-2", kAhead);
  const RunTimeline timeline(folder.path(),
                             [] { return timeline::HostClocks{{"algo-2", "", kAhead, 400}}; });
  const Snapshot snapshot = timeline.WaitUntilRead();
  const Json json = TimelineJson(*snapshot);
  EXPECT_EQ(json["start"], kStartUs + 10);
  EXPECT_EQ(json["end"], kStartUs + 35);
  EXPECT_EQ(json["clocks"],
            Json::array({{{"host", "algo-2"},
                          {"metrics", "algo-2"},
                          {"moved", -kAhead},
                          {"error", 400},
                          {"text", "clock of algo-2 moved by −12.3 ms ± 0.4 ms"}}}));
  // Arguments and launches are found by the times that the file has.
  for (const std::string_view node : {"88-algo-1", "88-algo-2"}) {
    const EventId id = IdOf(snapshot, fmt::format("kernel of {}", node));
    const Json kernel = EventJson(timeline, *snapshot, id);
    EXPECT_EQ(kernel["start"], 20.0) << node;
    EXPECT_EQ(kernel["args"]["event_name"], "aten::conv2d") << node;
    ASSERT_EQ(kernel["connected"].size(), 1u) << node;
    EXPECT_EQ(kernel["connected"][0]["start"], 0.0) << node;
  }
  const RunTimeline written(folder.path());
  EXPECT_EQ(TimelineJson(*written.WaitUntilRead())["clocks"], Json::array());
  EXPECT_EQ(written.snapshot()->end_ns, (kStartUs + kAhead + 35) * 1000);
}

constexpr std::string_view kTorchTrace = R"({"schemaVersion": 1, "traceEvents": [
{"ph": "M", "name": "thread_name", "pid": 501, "tid": 501, "args": {"name": "thread 501"}},
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 501, "tid": 501, "ts": 1767268800000000.5, "dur": 100, "args": {}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 501, "tid": 501, "ts": 1767268800000010, "dur": 20, "args": {"External id": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 501, "tid": 501, "ts": 1767268800000015, "dur": 5, "args": {"correlation": 9}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1767268800000040, "dur": 30, "args": {"device": 0, "stream": 7, "correlation": 9}},
{"ph": "X", "cat": "kernel", "name": "second", "pid": 0, "tid": 7, "ts": 1767268800000070, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 9}}
]})";

void ExpectTorchTrace(const RunTimeline& timeline) {
  const Snapshot snapshot = timeline.WaitUntilRead();
  EXPECT_EQ(TrackTexts(snapshot), (std::vector<std::string>{
                                      "host/CPU/process 501/thread 501: 3 in 3",
                                      "host/GPU/GPU 0, process 501/stream 7: 2 in 1",
                                  }));
  ASSERT_EQ(snapshot->links->size(), 2u);
  const Json event = EventJson(timeline, *snapshot, IdOf(snapshot, "cudaLaunchKernel"));
  EXPECT_EQ(event["depth"], 2);
  EXPECT_EQ(event["connected"].size(), 2u);
  EXPECT_EQ(event["args"]["correlation"], 9);
  EXPECT_EQ(event["step"], Json());
}

TEST(RunTimeline, TracesOfPyTorchItself) {
  ProfilerFolderForTest folder;
  const std::string key = "framework/host_501.1767268800.pt.trace.json";
  folder.Write(key, kTorchTrace);
  MakeOld(folder.PathOf(key));
  ExpectTorchTrace(RunTimeline(folder.path()));
}

TEST(RunTimeline, PackedTraces) {
  ProfilerFolderForTest folder;
  const std::string key = "framework/host_501.1767268800.pt.trace.json.gz";
  folder.Write(key, "");
  gzFile file = gzopen(folder.PathOf(key).c_str(), "wb");
  gzwrite(file, kTorchTrace.data(), kTorchTrace.size());
  gzclose(file);
  MakeOld(folder.PathOf(key));
  ExpectTorchTrace(RunTimeline(folder.path()));
}

// Pieces of files are begun with in the middle when arguments are looked for.
TEST(RunTimeline, ArgumentsOfEveryEventOfALongFile) {
  ProfilerFolderForTest folder;
  TraceForTest trace;
  constexpr int kEvents = 20'000;  // 2 MB.
  for (int i = 0; i < kEvents; ++i) {
    trace.Add("Forward", "Net", i * 10, 5, fmt::format(R"("number": {}, "step_num": "{}")", i, i));
  }
  folder.Write(ClosedTrace("88-algo-1"), trace.Whole());
  const RunTimeline timeline(folder.path());
  const Snapshot snapshot = timeline.WaitUntilRead();
  ASSERT_EQ(snapshot->events, static_cast<size_t>(kEvents));
  for (EventId id = 0; id < kEvents; id += 997) {
    const Json event = EventJson(timeline, *snapshot, id);
    EXPECT_EQ(event["args"]["number"], id);
    EXPECT_EQ(event["step"], id);
  }
}

TEST(RunTimeline, HostileTracesLoseNothingElse) {
  ProfilerFolderForTest folder;
  TraceForTest trace;
  trace.Add("Forward", "good", 10, 5).Add("Forward", "endless", 20, 1'900'000'000'000'000);
  std::string text = trace.TakeMore();
  text += ",\n{\"name\": \"no time\", \"ph\": \"X\", \"pid\": 1}";
  text += ",\n{\"name\": \"late\", \"ph\": \"X\", \"pid\": 1, \"ts\": 1e18, \"dur\": 1}";
  text += ",\n{\"name\": \"long\", \"ph\": \"X\", \"pid\": 1, \"ts\": 5, \"dur\": 1.9e18}";
  text += ",\n{broken";
  text +=
      ",\n{\"name\": \"\\ud800 \\u0000\", \"ph\": \"X\", \"pid\": 1, \"ts\": -50, \"dur\": 0, "
      "\"args\": {\"tid\": \"x\", \"correlation\": 1e300, \"deep\": [[[[]]]], \"n\": NaN}}";
  text += ",\n{\"name\": \"" + std::string(100'000, 'x') +
          "\", \"ph\": \"X\", \"pid\": 1, \"ts\": 1, \"dur\": 1}";
  folder.Write(ClosedTrace("88-algo-1"), text + "\n]");
  folder.Write(ClosedTrace("89-algo-1"), "no trace at all");
  folder.Write(ClosedTrace("90-algo-1"), "");
  folder.Write(ClosedTrace("91-\xff\xfe"), TraceForTest().Add("Forward", "odd", 1, 1).Whole());
  const std::string packed = "framework/host_5.1.pt.trace.json.gz";
  folder.Write(packed, "not packed");
  MakeOld(folder.PathOf(packed));
  const RunTimeline timeline(folder.path());
  const Snapshot snapshot = timeline.WaitUntilRead();
  EXPECT_EQ(snapshot->events, 5u);
  IdOf(snapshot, "good");
  EXPECT_GE(snapshot->problems.size(), 4u);
  EXPECT_FALSE(
      SlicesColumns(*snapshot, {{snapshot->start_ns, snapshot->end_ns}, 1000, {}}).empty());
  for (EventId id = 0; id < snapshot->events; ++id) {
    const Json event = EventJson(timeline, *snapshot, id);
    EXPECT_LT(event["name"].get<std::string>().size(), 1000u);
  }
  TimelineJson(*snapshot);
  SearchJson(*snapshot, SpanFilter::Parse("x").value(), 10);
}

TEST(RunTimeline, TracksAreLimited) {
  ProfilerFolderForTest folder;
  TraceForTest trace;
  constexpr size_t kThreads = Tracks::kMost + 500;
  for (size_t i = 0; i < kThreads; ++i) {
    trace.Add("cpu_functions", "op", 10, 5, fmt::format(R"("tid": {}, "n": {})", i, i));
  }
  folder.Write(ClosedTrace("88-algo-1"), trace.Whole());
  const RunTimeline timeline(folder.path());
  const Snapshot snapshot = timeline.WaitUntilRead();
  EXPECT_EQ(snapshot->events, kThreads);
  EXPECT_EQ(snapshot->tracks.size(), Tracks::kMost + 1);
  EXPECT_EQ(snapshot->tracks.back().index->size(), 500u);
}

}  // namespace
}  // namespace warden::view
