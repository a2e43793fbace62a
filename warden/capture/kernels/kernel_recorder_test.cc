// Against a library that gives out records as CUPTI does (tests/support/cupti_stand_in.cc).
#include "warden/capture/kernels/kernel_recorder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "warden/capture/kernels/activity_buffers.h"
#include "warden/capture/kernels/activity_reader.h"
#include "warden/capture/kernels/cupti.h"
#include "warden/capture/timeline_leftovers.h"
#include "warden/format/kernel_block.h"
#include "warden/format/kernel_layout.h"
#include "warden/format/record.h"
#include "warden/os/posix.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::capture {
namespace {

// What the files of a folder have, in the order of their names.
struct RecordedKernels {
  std::vector<std::string> files;
  std::map<std::string, int> kernels;  // By name.
  int calls = 0;
  std::vector<format::GpuEvent> copies;
  std::vector<format::KernelLaunch> launches;
  std::vector<format::KernelWindow> windows;
  std::vector<format::StepMark> steps;
  std::map<uint32_t, int> correlations;  // How many events have each.
};

void ReadKernelFile(const std::string& path, RecordedKernels* recorded) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  ASSERT_TRUE(text.starts_with(format::kKernelFileMagic)) << path;
  format::RecordReader records(AsBytes(text).subspan(format::kKernelFileMagic.size()),
                               format::Check::kFull);
  format::KernelDictionary dictionary;
  while (!records.done()) {
    const auto payload = records.Next();
    ASSERT_TRUE(payload.ok()) << payload.status().message();
    format::KernelBlock block;
    const Status parsed = format::ParseKernelBlock(payload.value(), &dictionary, &block);
    ASSERT_TRUE(parsed.ok()) << parsed.message();
    for (const format::GpuEvent& event : block.events) {
      ++recorded->correlations[event.correlation];
      if (event.work == format::GpuWork::kKernel) {
        const format::KernelLaunch& launch = dictionary.launches[event.name];
        recorded->launches.push_back(launch);
        ++recorded->kernels[dictionary.names[launch.name]];
      }
      if (event.work == format::GpuWork::kCall) ++recorded->calls;
      if (event.work == format::GpuWork::kCopy) recorded->copies.push_back(event);
    }
    recorded->windows.insert(recorded->windows.end(), block.windows.begin(), block.windows.end());
    recorded->steps.insert(recorded->steps.end(), block.steps.begin(), block.steps.end());
  }
}

class KernelRecorderTest : public testing::Test {
 protected:
  KernelRecorderTest() {
    library_ = dlopen(Path().c_str(), RTLD_NOW);
    EXPECT_NE(library_, nullptr) << dlerror();
    for (const char* name : {"enable", "subscribe", "kernels", "ahead_ns"}) Set(name, 0);
    Set("version", 130001);
  }

  static std::string Path() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libcupti_stand_in.so";
  }
  void Set(const char* name, long value) {
    Function<void(const char*, long)>("StandInSet")(name, value);
  }
  void Kernel(const char* name, int64_t start_ns, int64_t end_ns) {
    Function<void(const char*, uint64_t, uint64_t)>("StandInKernel")(
        name, static_cast<uint64_t>(start_ns), static_cast<uint64_t>(end_ns));
  }
  size_t Enabled() { return Function<size_t()>("StandInEnabled")(); }

  KernelRecorderOptions Options() const {
    return {.folder = folder_.path(), .node = "0-algo-1", .library = Path()};
  }
  std::string Unfinished() const { return folder_.File("framework/0-algo-1_kernels.bin.tmp"); }
  RecordedKernels Recorded() const {
    RecordedKernels recorded;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file()) recorded.files.push_back(entry.path());
    }
    std::sort(recorded.files.begin(), recorded.files.end());
    for (const std::string& file : recorded.files) ReadKernelFile(file, &recorded);
    return recorded;
  }
  static int64_t Now() {
    using namespace std::chrono;
    return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
  }

  const os::TempFolder folder_;

 private:
  template <class F>
  F* Function(const char* name) {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }

  void* library_;
};

TEST_F(KernelRecorderTest, AWindowIsInAFileWithItsNames) {
  KernelRecorder recorder(Options());
  EXPECT_FALSE(std::filesystem::exists(folder_.File("framework")));
  ASSERT_TRUE(recorder.Start(false).ok());
  EXPECT_TRUE(recorder.is_recording());
  EXPECT_EQ(Enabled(), 7u);
  recorder.MarkStep(500);
  const int64_t now = Now();
  Kernel("_Z4gemmIfEvPT_S1_i", now + 1000, now + 6000);
  Kernel("triton_poi_fused_add_0", now + 7000, now + 8000);
  recorder.MarkStep(501);
  recorder.Stop();
  EXPECT_EQ(Enabled(), 0u);
  ASSERT_TRUE(recorder.Flush());
  EXPECT_TRUE(std::filesystem::exists(Unfinished()));
  ASSERT_TRUE(recorder.Close());
  EXPECT_FALSE(std::filesystem::exists(Unfinished()));

  const RecordedKernels recorded = Recorded();
  ASSERT_EQ(recorded.files.size(), 1u);
  const auto name =
      format::ParseKernelFileKey(recorded.files[0].substr(folder_.path().string().size() + 1));
  ASSERT_TRUE(name) << recorded.files[0];
  EXPECT_EQ(name->node, "algo-1-0");
  EXPECT_EQ(recorded.kernels,
            (std::map<std::string, int>{{"void gemm<float>(float*, float*, int)", 1},
                                        {"triton_poi_fused_add_0", 1}}));
  EXPECT_EQ(recorded.calls, 2);
  for (const auto& [correlation, events] : recorded.correlations) EXPECT_EQ(events, 2);
  ASSERT_EQ(recorded.launches.size(), 2u);
  EXPECT_EQ(recorded.launches[0].grid[0], 132u);
  EXPECT_EQ(recorded.launches[0].block[0], 256u);
  EXPECT_EQ(recorded.launches[0].registers, 168u);
  EXPECT_EQ(recorded.launches[0].dynamic_shared, 65536u);
  ASSERT_EQ(recorded.windows.size(), 1u);
  EXPECT_LE(recorded.windows[0].start_ns, now);
  EXPECT_GE(recorded.windows[0].end_ns, now);
  ASSERT_EQ(recorded.steps.size(), 2u);
  EXPECT_EQ(recorded.steps[0].step, 500);
  EXPECT_EQ(recorder.counters().kernels, 2u);
  EXPECT_EQ(recorder.counters().windows, 1u);
  EXPECT_EQ(recorder.counters().dropped, 0u);
}

TEST_F(KernelRecorderTest, NothingIsTurnedOnBetweenWindows) {
  KernelRecorder recorder(Options());
  recorder.Stop();
  recorder.MarkStep(1);
  EXPECT_EQ(Enabled(), 0u);
  Set("kernels", 30);
  for (int window = 0; window < 50; ++window) {
    ASSERT_TRUE(recorder.Start(false).ok()) << window;
    EXPECT_EQ(recorder.Start(false).code(), Code::kInvalid);
    recorder.Stop();
    EXPECT_EQ(Enabled(), 0u);
  }
  ASSERT_TRUE(recorder.Close());
  EXPECT_EQ(recorder.Start(false).code(), Code::kInvalid);
  const RecordedKernels recorded = Recorded();
  EXPECT_EQ(recorded.windows.size(), 50u);
  EXPECT_EQ(recorded.launches.size(), 1500u);
  EXPECT_EQ(recorded.copies.size(), 150u);
  EXPECT_EQ(recorded.copies[0].bytes, uint64_t{1} << 20);
  EXPECT_EQ(recorded.copies[0].copy, 1 | format::kPageable);
  EXPECT_EQ(recorded.files.size(), 1u);
  // All memory has come back.
  EXPECT_EQ(recorder.counters().buffers, 0u);
}

TEST_F(KernelRecorderTest, WithoutRoomRecordsAreDroppedAndCounted) {
  KernelRecorderOptions options = Options();
  options.buffer_bytes = 4096;
  options.most_buffers = 2;
  KernelRecorder recorder(options);
  Set("kernels", 1000);
  ASSERT_TRUE(recorder.Start(false).ok());
  recorder.Stop();
  ASSERT_TRUE(recorder.Close());
  const RecordedKernels recorded = Recorded();
  ASSERT_EQ(recorded.windows.size(), 1u);
  EXPECT_GT(recorded.windows[0].dropped, 1000u);
  EXPECT_EQ(recorded.windows[0].dropped, recorder.counters().dropped);
  EXPECT_EQ(recorder.counters().events + recorder.counters().dropped, 2200u);
  EXPECT_FALSE(recorded.launches.empty());
}

TEST_F(KernelRecorderTest, WhereAnotherProfilerHoldsCuptiTheReasonIsTold) {
  Set("subscribe", 39);
  KernelRecorder recorder(Options());
  const Status held = recorder.Start(false);
  EXPECT_EQ(held.code(), Code::kUnavailable);
  EXPECT_EQ(held.message(), "another profiler is using CUPTI");
  EXPECT_EQ(Enabled(), 0u);
  // One that is known to do nothing is no obstacle.
  EXPECT_TRUE(recorder.Start(true).ok());
  recorder.Stop();
  Set("subscribe", 0);
  Set("enable", 15);
  const Status refused = recorder.Start(false);
  EXPECT_EQ(refused.code(), Code::kUnavailable);
  EXPECT_EQ(refused.message(),
            "CUPTI cannot record kernels: CUPTI_ERROR_NOT_INITIALIZED (error 15)");
  Set("enable", 0);
  EXPECT_TRUE(recorder.Start(false).ok());
}

TEST_F(KernelRecorderTest, UnknownVersionsAreRefused) {
  for (const long version : {17L, 29L, 129999L, 130500L, 140000L}) {
    Set("version", version);
    const Status refused = KernelRecorder(Options()).Start(false);
    EXPECT_EQ(refused.code(), Code::kUnavailable);
    EXPECT_NE(refused.message().find(std::to_string(version)), std::string::npos);
  }
  for (const long version : {18L, 28L, 130000L, 130401L}) {
    Set("version", version);
    EXPECT_TRUE(KernelRecorder(Options()).Start(false).ok()) << version;
  }
  KernelRecorderOptions nowhere = Options();
  nowhere.library = "/nonexistent/libcupti.so.13";
  EXPECT_EQ(KernelRecorder(nowhere).Start(false).code(), Code::kNotFound);
}

TEST_F(KernelRecorderTest, OnlyOneRecorderRecords) {
  KernelRecorder first(Options());
  KernelRecorderOptions other = Options();
  other.node = "1-algo-1";
  KernelRecorder second(other);
  ASSERT_TRUE(first.Start(false).ok());
  EXPECT_EQ(second.Start(false).code(), Code::kUnavailable);
  first.Stop();
  ASSERT_TRUE(first.Flush());
  EXPECT_TRUE(second.Start(false).ok());
}

TEST_F(KernelRecorderTest, ALargeFileIsFollowedByAnotherThatCanBeReadAlone) {
  KernelRecorderOptions options = Options();
  options.max_file_bytes = 1;
  KernelRecorder recorder(options);
  Set("kernels", 10);
  for (int window = 0; window < 3; ++window) {
    ASSERT_TRUE(recorder.Start(false).ok());
    recorder.Stop();
    ASSERT_TRUE(recorder.Flush());
  }
  ASSERT_TRUE(recorder.Close());
  const RecordedKernels recorded = Recorded();
  EXPECT_EQ(recorded.files.size(), 3u);
  EXPECT_EQ(recorded.launches.size(), 30u);
}

TEST_F(KernelRecorderTest, AKilledProcessesFileIsKept) {
  std::filesystem::create_directories(folder_.File("framework"));
  {
    KernelRecorder recorder(Options());
    Set("kernels", 10);
    ASSERT_TRUE(recorder.Start(false).ok());
    recorder.Stop();
    ASSERT_TRUE(recorder.Flush());
    std::filesystem::copy(Unfinished(), folder_.File("left"));
    ASSERT_TRUE(recorder.Close());
  }
  std::filesystem::copy(folder_.File("left"), Unfinished());
  EXPECT_EQ(FinishTimelines(folder_.path()), 1);
  EXPECT_FALSE(std::filesystem::exists(Unfinished()));
  std::filesystem::rename(folder_.File("left"), Unfinished());
  KernelRecorder again(Options());
  ASSERT_TRUE(again.Start(false).ok());
  ASSERT_TRUE(again.Close());
  EXPECT_EQ(FinishTimelines(folder_.path()), 0);
  EXPECT_EQ(Recorded().files.size(), 4u);
  EXPECT_EQ(Recorded().launches.size(), 40u);
}

TEST_F(KernelRecorderTest, AFileOfAnotherProcessIsLeftAlone) {
  std::filesystem::create_directories(folder_.File("framework"));
  const os::UniqueFd other(open(Unfinished().c_str(), O_RDWR | O_CREAT, 0644));
  ASSERT_EQ(flock(other.get(), LOCK_EX | LOCK_NB), 0);
  KernelRecorder recorder(Options());
  Set("kernels", 10);
  ASSERT_TRUE(recorder.Start(false).ok());
  recorder.Stop();
  ASSERT_TRUE(recorder.Flush());
  EXPECT_EQ(recorder.counters().lost, 22u);
  EXPECT_EQ(std::filesystem::file_size(Unfinished()), 0u);
}

TEST_F(KernelRecorderTest, AForkedChildRecordsNothing) {
  KernelRecorder recorder(Options());
  ASSERT_TRUE(recorder.Start(false).ok());
  const pid_t child = fork();
  if (child == 0) {
    const bool quiet = recorder.Start(false).code() == Code::kUnavailable &&
                       !recorder.is_recording() && recorder.Close();
    _exit(quiet ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(recorder.is_recording());
}

TEST_F(KernelRecorderTest, ClocksOfOtherProfilersAreTranslated) {
  ActivityClock same;
  same.Begin(1'000'000'000, 1'000'000'400);
  same.Update(2'000'000'000, 2'500'000'000);
  EXPECT_EQ(same.ToWall(1'234'567'890), 1'234'567'890);
  ActivityClock counter;  // 3 ticks in a nanosecond.
  counter.Begin(5'000'000'000, 90'000'000'000);
  counter.Update(6'000'000'000, 93'000'000'000);
  EXPECT_NEAR(static_cast<double>(counter.ToWall(91'500'000'000)), 5.5e9, 2);
  EXPECT_NEAR(static_cast<double>(counter.ToWall(89'999'999'700)), 5e9 - 100, 2);
  (void)counter.ToWall(UINT64_MAX);

  // A library whose clock is an hour ahead.
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  Set("ahead_ns", kHour);
  KernelRecorder recorder(Options());
  ASSERT_TRUE(recorder.Start(false).ok());
  Kernel("a", Now() + kHour, Now() + kHour + 1000);
  Kernel("without a time", 0, 0);
  recorder.Stop();
  ASSERT_TRUE(recorder.Close());
  EXPECT_EQ(Recorded().kernels, (std::map<std::string, int>{{"a", 1}}));
  EXPECT_GE(recorder.counters().untimed, 1u);
}

TEST_F(KernelRecorderTest, BuffersOfOthersAreIgnored) {
  uint8_t foreign[8] = {};
  ActivityBuffers::Complete(nullptr, 0, foreign, 8, 8);
  EXPECT_FALSE(ActivityBuffers::OfProcess().Take());
  uint8_t* buffer = nullptr;
  size_t size = 1;
  size_t most = 1;
  ActivityBuffers::Request(&buffer, &size, &most);  // Nobody records.
  EXPECT_EQ(buffer, nullptr);
  EXPECT_EQ(size, 0u);
}

TEST(ActivityReader, NamesAreThoseOfPeople) {
  EXPECT_EQ(ReadableKernel("_Z4gemmIfEvPT_S1_i"), "void gemm<float>(float*, float*, int)");
  EXPECT_EQ(ReadableKernel("_Zbroken"), "_Zbroken");
  EXPECT_EQ(ReadableKernel("nvjet_hsh_128x256"), "nvjet_hsh_128x256");
  EXPECT_EQ(ReadableCall("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(ReadableCall("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
  EXPECT_EQ(ReadableCall("cudaStreamGetCaptureInfo_v2_v11030"), "cudaStreamGetCaptureInfo");
  EXPECT_EQ(ReadableCall("cuMemcpyHtoDAsync_v2"), "cuMemcpyHtoDAsync");
  EXPECT_EQ(ReadableCall("cuLaunchKernel_ptsz"), "cuLaunchKernel");
  EXPECT_EQ(ReadableCall("_v7"), "_v7");
  EXPECT_TRUE(IsIdleCall("cudaGetDevice"));
  EXPECT_FALSE(IsIdleCall("cudaDeviceSynchronize"));
}

}  // namespace
}  // namespace warden::capture
