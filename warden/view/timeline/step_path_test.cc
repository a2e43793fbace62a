#include "warden/view/timeline/step_path.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/trace_for_test.h"

namespace warden::view {
namespace {

using timeline::ProfilerFolderForTest;

constexpr char kMain[] = R"("tid": 1)";

std::string Launched(std::string_view name, int64_t at_us) {
  return fmt::format(R"("tid": 7, "event_name": "{}", "start_cpu_thread": 1, )"
                     R"("cpu_thread_start_time": {})",
                     name, kStartUs + at_us);
}

class StepPathTest : public testing::Test {
 protected:
  TraceForTest& Step(int64_t start_us, int64_t duration_us, int step,
                     const std::string& mode = "TRAIN") {
    return trace_.Add("Step:ModeKeys." + mode, "Step:ModeKeys." + mode, start_us, duration_us,
                      fmt::format(R"("step_num": "{}")", step));
  }

  const TimelineSnapshot& Read() {
    folder_.Write(ClosedTrace("88-algo-1"), trace_.Whole());
    timeline_ = std::make_unique<RunTimeline>(folder_.path());
    snapshot_ = timeline_->WaitUntilRead();
    return *snapshot_;
  }

  // "kind name duration: then", piece by piece.
  std::vector<std::string> Pieces(const StepQuery& query = {}) {
    const TimelineSnapshot& snapshot = Read();
    const auto json = PathJson(snapshot, query, 1000);
    if (!json.ok()) return {std::string(json.status().message())};
    json_ = json.value();
    std::vector<std::string> texts;
    double sum = 0;
    double end = json_["start"];
    for (const Json& piece : json_["pieces"]) {
      EXPECT_EQ(piece["start"], end) << piece.dump();
      end += piece["duration"].get<double>();
      sum += piece["duration"].get<double>();
      texts.push_back(fmt::format("{} {} {}: {}", piece["kind"].get<std::string>(),
                                  piece["name"].get<std::string>(), piece["duration"].get<double>(),
                                  piece["then"].get<std::string>()));
    }
    EXPECT_EQ(sum, json_["duration"]);
    return texts;
  }

  bool Notes(std::string_view words) const {
    return json_["notes"].dump().find(words) != std::string::npos;
  }

  ProfilerFolderForTest folder_;
  TraceForTest trace_;
  std::unique_ptr<RunTimeline> timeline_;
  std::shared_ptr<const TimelineSnapshot> snapshot_;
  Json json_;
};

TEST_F(StepPathTest, PhasesOfAStepWithoutOperators) {
  Step(0, 100, 4);
  trace_.Add("DataLoaderIter", "DataLoaderIter::GetNext", 0, 20)
      .Add("Forward", "Net", 20, 30)
      .Add("Backward", "Backward", 50, 25)
      .Add("Optimizer", "SGD", 80, 10);
  EXPECT_EQ(Pieces(), (std::vector<std::string>{
                          "data loading DataLoaderIter::GetNext 20: the same thread continues",
                          "forward Net 30: the same thread continues",
                          "backward Backward 25: the same thread continues",
                          "other Step:ModeKeys.TRAIN 5: the same thread continues",
                          "optimizer SGD 10: the same thread continues",
                          "other Step:ModeKeys.TRAIN 10: the step ends",
                      }));
  EXPECT_TRUE(Notes("No operators were recorded"));
  EXPECT_TRUE(Notes("no GPU work of this process"));
  EXPECT_EQ(json_["kinds"].size(), 5u);
  EXPECT_EQ(json_["kinds"][1]["share"], 0.3);
}

// The loss is copied at the end: what the step waits for is on the GPU, up to the first launch.
TEST_F(StepPathTest, WaitsLeadToKernelsAndKernelsToLaunches) {
  Step(0, 200, 0);
  trace_.Add("Forward", "Net", 10, 30)
      .Add("cpu_functions", "aten::conv", 15, 5, kMain)
      .Add("cpu_functions", "aten::mm", 25, 5, kMain)
      .Add("cpu_functions", "cudaDeviceSynchronize", 50, 145, kMain)
      .Add("gpu_functions-dev:0", "conv kernel", 24, 100, Launched("aten::conv", 15))
      .Add("gpu_functions-dev:0", "mm kernel", 130, 50, Launched("aten::mm", 25));
  EXPECT_EQ(Pieces(), (std::vector<std::string>{
                          "other Step:ModeKeys.TRAIN 10: the same thread continues",
                          "forward Net 5: the same thread continues",
                          "forward aten::conv 5: it launched the next piece",
                          "GPU launch delay conv kernel 4: the same thread continues",
                          "GPU kernels conv kernel 100: the next piece was queued behind it",
                          "GPU launch delay mm kernel 6: the same thread continues",
                          "GPU kernels mm kernel 50: the next piece waited for it",
                          "CPU operators cudaDeviceSynchronize 15: the same thread continues",
                          "other Step:ModeKeys.TRAIN 5: the step ends",
                      }));
  EXPECT_EQ(json_["notes"], Json::array());
}

TEST_F(StepPathTest, WorkersAndTheThreadOfTheBackwardPass) {
  Step(0, 100, 0);
  trace_.Add("DataLoaderIter", "DataLoaderIter::GetNext", 0, 40)
      .Add("DataLoaderWorker", "DataLoaderWorker::fetch", -50, 85, R"("worker_id": 1)")
      .Add("DataLoaderWorker", "DataLoaderWorker::fetch", -50, 20, R"("worker_id": 2)")
      .Add("cpu_functions", "aten::conv", 40, 10, kMain)
      .Add("Backward", "Backward", 50, 50)
      .Add("cpu_functions", "ConvBackward", 55, 30, R"("tid": 2)")
      .Add("cpu_functions", "aten::conv_backward", 60, 10, R"("tid": 2)");
  EXPECT_EQ(Pieces(), (std::vector<std::string>{
                          "data loading DataLoaderWorker::fetch 35: the next piece waited for it",
                          "data loading DataLoaderIter::GetNext 5: the same thread continues",
                          "CPU operators aten::conv 10: the same thread continues",
                          "backward Backward 5: it started the next piece",
                          "backward ConvBackward 5: the same thread continues",
                          "backward aten::conv_backward 10: the same thread continues",
                          "backward ConvBackward 15: the next piece waited for it",
                          "backward Backward 15: the step ends",
                      }));
}

TEST_F(StepPathTest, SaysWhatIsNotKnown) {
  Step(0, 100, 0);
  trace_.Add("cpu_functions", "aten::mm", 5, 5, kMain)
      .Add("cpu_functions", "cudaStreamSynchronize", 20, 80, kMain)
      .Add("gpu_functions-dev:0", "first", 30, 20, R"("tid": 7)")
      .Add("gpu_functions-dev:0", "second", 55, 40, R"("tid": 7)");
  const std::vector<std::string> pieces = Pieces();
  ASSERT_EQ(pieces.size(), 8u) << json_.dump();
  EXPECT_EQ(pieces[3], "CPU operators cudaStreamSynchronize 10: not recorded");
  EXPECT_EQ(pieces[4], "GPU kernels first 20: the next piece was queued behind it");
  EXPECT_TRUE(Notes("not connected with what launched it"));
  EXPECT_FALSE(Notes("what the GPU did then is not recorded"));
}

TEST_F(StepPathTest, AWaitForAGpuThatWasNotRecorded) {
  Step(0, 100, 0);
  trace_.Add("cpu_functions", "cudaStreamSynchronize", 20, 80, kMain);
  EXPECT_EQ(Pieces().size(), 2u);
  EXPECT_TRUE(Notes("what the GPU did then is not recorded"));
}

TEST_F(StepPathTest, StepsAreChosenByNumberModeAndProcess) {
  for (int i = 0; i < 5; ++i) Step(i * 100, 50 + 10 * i, i);
  Step(600, 30, 0, "EVAL");
  Pieces();
  EXPECT_EQ(json_["step"], 2) << "the usual one";
  EXPECT_EQ(json_["mode"], "TRAIN");
  EXPECT_EQ(json_["steps"].size(), 2u);
  EXPECT_EQ(json_["steps"][0]["slowest"]["step"], 4);
  EXPECT_EQ(json_["steps"][1]["mode"], "EVAL");
  Pieces({.step = 0, .mode = "EVAL"});
  EXPECT_EQ(json_["duration"], 30);
  EXPECT_EQ(
      Pieces({.step = 9}).front(),
      "no step 9 in the timeline; it has TRAIN of algo-1-88: 0 to 4; EVAL of algo-1-88: 0 to 0");
  EXPECT_EQ(Pieces({.node = "other"}).front().substr(0, 39),
            "no step of other in the timeline; it ha");
}

TEST_F(StepPathTest, MediansOverSteps) {
  for (int i = 0; i < 5; ++i) {
    Step(i * 1000, 100 + i, i);
    trace_.Add("Forward", "Net", i * 1000, 40 + i).Add("Optimizer", "SGD", i * 1000 + 50, 20);
  }
  const auto waits = WaitsJson(Read(), {}, 1);
  ASSERT_TRUE(waits.ok());
  EXPECT_EQ(waits.value()["looked_at"], 5);
  EXPECT_EQ(waits.value()["duration"], 102);
  EXPECT_EQ(waits.value()["kinds"][0],
            (Json{{"kind", "forward"}, {"median", 42.0}, {"share", 42.0 / 102}}));
  ASSERT_EQ(waits.value()["names"].size(), 1u);
  EXPECT_EQ(waits.value()["names"][0]["name"], "Net");
  EXPECT_EQ(waits.value()["notes"][0]["steps"], 5);
}

TEST_F(StepPathTest, StepsOfPyTorchsProfiler) {
  folder_.Write("framework/host_501.1767268800.pt.trace.json", R"trace({"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 501, "tid": 501, "ts": 1767268800000000, "dur": 100, "args": {}},
{"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#7", "pid": 0, "tid": 7, "ts": 1767268800000018, "dur": 70, "args": {}},
{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 1767268799999000, "dur": 2000, "args": {}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 501, "tid": 501, "ts": 1767268800000010, "dur": 5, "args": {"correlation": 9}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 501, "tid": 501, "ts": 1767268800000020, "dur": 80, "args": {}},
{"ph": "X", "cat": "kernel", "name": "ncclAllReduce", "pid": 0, "tid": 7, "ts": 1767268800000018, "dur": 70, "args": {"device": 0, "stream": 7, "correlation": 9}}
]})trace");
  const std::string path = folder_.PathOf("framework/host_501.1767268800.pt.trace.json");
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(1));
  EXPECT_EQ(Pieces({.step = 7}), (std::vector<std::string>{
                                     "other ProfilerStep#7 10: the same thread continues",
                                     "other cudaLaunchKernel 5: it launched the next piece",
                                     "GPU launch delay ncclAllReduce 3: the same thread continues",
                                     "communication ncclAllReduce 70: the next piece waited for it",
                                     "other cudaDeviceSynchronize 12: the step ends",
                                 }));
  EXPECT_EQ(json_["mode"], "profiler");
  EXPECT_EQ(json_["steps"][0]["count"], 1);
}

TEST(Shortened, PutsShortPiecesTogether) {
  std::vector<PathPiece> pieces;
  int64_t at = 0;
  for (const int64_t length : {100, 1, 2, 1, 50, 3, 80}) {
    pieces.push_back({static_cast<EventId>(pieces.size()), at, at + length});
    at += length;
  }
  const std::vector<PathPiece> few = Shortened(pieces, 3);
  ASSERT_EQ(few.size(), 5u);
  EXPECT_EQ(few[1].count, 3u);
  EXPECT_EQ(few[1].id, 2u);
  EXPECT_EQ(few[1].end_ns, 104);
  EXPECT_EQ(few[3].count, 1u);
  EXPECT_EQ(Shortened(pieces, 7).size(), 7u);
}

}  // namespace
}  // namespace warden::view
