#include "warden/timeline/kernels/kernel_statistics.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "warden/format/kernel_block.h"
#include "warden/timeline/kernels/device_activity.h"
#include "warden/timeline/kernels/duration_histogram.h"
#include "warden/timeline/kernels/kernel_stream.h"
#include "warden/timeline/merge/merge.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

using format::GpuEvent;
using format::GpuWork;

constexpr int64_t kBegin = 1'795'083'637'000'000'000;
constexpr char kUnfinishedKernels[] = "framework/88-algo-1_kernels.bin.tmp";

// A file of GPU activity in the making; times are in microseconds from kBegin.
class KernelFileForTest {
 public:
  void Kernel(const char* name, int64_t start, int64_t duration, int64_t asked,
              uint32_t device = 0) {
    GpuEvent event;
    event.name = writer_.LaunchId({.name = writer_.NameId(name), .grid = {132, 1, 1}});
    event.lane = writer_.LaneId({.device = device, .context = 1, .stream = 7});
    Add(event, start, duration, asked);
  }
  void Copy(uint8_t copy, uint64_t bytes, int64_t start, int64_t duration, int64_t asked) {
    GpuEvent event;
    event.work = GpuWork::kCopy;
    event.copy = copy;
    event.bytes = bytes;
    event.lane = writer_.LaneId({.device = 0, .context = 1, .stream = 13});
    Add(event, start, duration, asked);
  }
  void Window(int64_t start, int64_t end, uint64_t dropped = 0) {
    writer_.Add(format::KernelWindow{kBegin + start * 1000, kBegin + end * 1000, dropped});
    EndBlock();
  }
  void Step(int64_t step, int64_t start) {
    writer_.Add(format::StepMark{step, kBegin + start * 1000});
  }
  void EndBlock() { writer_.Finish(&bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void Add(GpuEvent event, int64_t start, int64_t duration, int64_t asked) {
    event.start_ns = kBegin + start * 1000;
    event.duration_ns = duration * 1000;
    event.correlation = ++correlation_;
    writer_.Add(event);
    GpuEvent call;
    call.work = GpuWork::kCall;
    call.name = writer_.NameId("cudaLaunchKernel");
    call.lane = writer_.LaneId({.thread = 4711});
    call.start_ns = kBegin + asked * 1000;
    call.duration_ns = 1000;
    call.correlation = correlation_;
    writer_.Add(call);
  }

  format::KernelBlockWriter writer_;
  std::string bytes_{format::kKernelFileMagic};
  uint32_t correlation_ = 0;
};

class KernelStatisticsTest : public testing::Test {
 protected:
  KernelStatistics Summarize() {
    auto statistics = SummarizeKernels(folder_.path(), {});
    EXPECT_TRUE(statistics.ok()) << statistics.status().message();
    return statistics.ok() ? std::move(statistics).value() : KernelStatistics{};
  }

  ProfilerFolderForTest folder_;
};

TEST_F(KernelStatisticsTest, SaysWhereTheTimeWent) {
  KernelFileForTest file;
  file.Step(500, 0);
  file.Kernel("ampere_bf16_s16816gemm_bf16_128x64", 100, 300, 90);
  file.Kernel("ampere_bf16_s16816gemm_bf16_128x64", 450, 100, 110);  // Waits for the first.
  file.Kernel("void at::native::vectorized_elementwise_kernel<4, float>", 700, 5, 680);
  file.Copy(1 | format::kPageable, 1 << 20, 520, 50, 500);
  file.Step(501, 500);
  file.Window(0, 1000, 3);
  folder_.Write(kUnfinishedKernels, file.bytes());

  const KernelStatistics statistics = Summarize();
  EXPECT_TRUE(statistics.problems.empty());
  EXPECT_EQ(statistics.events, 8u);
  EXPECT_EQ(statistics.launches, 3u);
  EXPECT_EQ(statistics.kernel_ns, 405'000);
  EXPECT_EQ(statistics.dropped, 3u);
  EXPECT_EQ(statistics.windows, 1u);
  EXPECT_EQ(statistics.steps, 2u);
  EXPECT_EQ(statistics.start_ns, kBegin);
  EXPECT_EQ(statistics.end_ns, kBegin + 1'000'000);
  ASSERT_EQ(statistics.kernels.size(), 2u);
  const KernelRow& gemm = statistics.kernels[0];
  EXPECT_EQ(gemm.count, 2u);
  EXPECT_EQ(gemm.total_ns, 400'000);
  EXPECT_EQ(gemm.min_ns, 100'000);
  EXPECT_EQ(gemm.max_ns, 300'000);
  EXPECT_EQ(gemm.traits.precision, Precision::kBf16);
  EXPECT_TRUE(gemm.traits.tensor_cores);
  EXPECT_EQ(statistics.tensor_cores.total_ns, 400'000);
  EXPECT_EQ(statistics.kinds[static_cast<size_t>(KernelKind::kElementwise)].count, 1u);
  EXPECT_EQ(statistics.precisions[static_cast<size_t>(Precision::kFp32)].total_ns, 5'000);
  EXPECT_EQ(statistics.short_kernels.count, 1u);
  ASSERT_EQ(statistics.copies.size(), 1u);
  EXPECT_EQ(statistics.copies[0].name, "host to device (pageable)");
  EXPECT_NEAR(statistics.copies[0].bytes_per_second(), (1 << 20) / 50e-6, 1);
  ASSERT_EQ(statistics.calls.size(), 1u);
  EXPECT_EQ(statistics.calls[0].count, 4u);
  // 10, 340 and 20 µs.
  EXPECT_EQ(statistics.delays.count, 3u);
  EXPECT_NEAR(statistics.delays.mean_ns, 123'333, 1);
  EXPECT_EQ(statistics.delays.max_ns, 340'000);

  ASSERT_EQ(statistics.devices.size(), 1u);
  const DeviceRow& device = statistics.devices[0];
  EXPECT_EQ(device.node, "algo-1-88");
  EXPECT_EQ(device.window_ns, 1'000'000);
  // 100 to 400, 450 to 570 where a kernel and a copy overlap, 700 to 705.
  EXPECT_EQ(device.busy_ns, 425'000);
  EXPECT_EQ(device.idle_ns(), 575'000);
  EXPECT_EQ(device.copy_ns, 50'000);
  EXPECT_EQ(device.gaps, 4u);
  // The first kernel was asked for at 90, that after the copy at 680.
  EXPECT_EQ(device.host_late_ns, 90'000 + 110'000);
  EXPECT_EQ(device.longest_gap_ns, 295'000);
  ASSERT_EQ(statistics.gaps.size(), 4u);
  EXPECT_EQ(statistics.gaps[0].after, "");
  EXPECT_EQ(statistics.gaps[1].before, "host to device (pageable)");
  EXPECT_TRUE(statistics.gaps[1].host_late);
  EXPECT_FALSE(statistics.gaps[3].host_late);  // It waited in the queue.
}

TEST_F(KernelStatisticsTest, ProcessesDevicesAndFilesAreAddedUp) {
  KernelFileForTest first, second, other;
  first.Kernel("a", 0, 10, 0);
  first.Window(0, 100);
  second.Kernel("a", 200, 10, 190);
  second.Kernel("b", 210, 10, 200, 1);
  second.Window(200, 300);
  other.Kernel("a", 0, 50, 0);
  other.Window(0, 100);
  folder_.Write("framework/pevents/2026010112/1795083637000300_88-algo-1_kernels.bin",
                first.bytes());
  folder_.Write(kUnfinishedKernels, second.bytes());
  folder_.Write("framework/99-algo-2_kernels.bin.tmp", other.bytes());
  const KernelStatistics statistics = Summarize();
  ASSERT_EQ(statistics.devices.size(), 3u);
  EXPECT_EQ(statistics.devices[0].node, "algo-1-88");
  EXPECT_EQ(statistics.devices[0].window_ns, 200'000);
  EXPECT_EQ(statistics.devices[0].busy_ns, 20'000);
  EXPECT_EQ(statistics.devices[1].device, 1u);
  EXPECT_EQ(statistics.devices[1].busy_ns, 10'000);
  EXPECT_EQ(statistics.devices[2].node, "algo-2-99");
  EXPECT_EQ(statistics.devices[2].busy_ns, 50'000);
  ASSERT_EQ(statistics.kernels.size(), 2u);
  EXPECT_EQ(statistics.kernels[0].count, 3u);
  EXPECT_EQ(statistics.windows, 3u);

  KernelQuery query;
  query.range = {kBegin / 1000 + 150, kBegin / 1000 + 1000};
  const auto later = SummarizeKernels(folder_.path(), query);
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later.value().launches, 2u);
  EXPECT_EQ(later.value().windows, 1u);
  query.unfinished = false;
  EXPECT_EQ(SummarizeKernels(folder_.path(), query).status().code(), Code::kNotFound);
}

TEST_F(KernelStatisticsTest, AFileOfAKilledProcessCountsToItsLastBlock) {
  KernelFileForTest file;
  file.Kernel("a", 10, 20, 5);
  file.EndBlock();
  const size_t whole = file.bytes().size();
  file.Kernel("b", 100, 20, 90);
  file.Window(0, 1000);
  folder_.Write(kUnfinishedKernels, std::string_view(file.bytes()).substr(0, whole + 20));
  const KernelStatistics statistics = Summarize();
  EXPECT_TRUE(statistics.problems.empty());  // It may be being written.
  EXPECT_EQ(statistics.launches, 1u);
  ASSERT_EQ(statistics.devices.size(), 1u);
  // From the first event, the call, to the end of the last.
  EXPECT_EQ(statistics.devices[0].window_ns, 25'000);
  EXPECT_EQ(statistics.devices[0].busy_ns, 20'000);
  EXPECT_EQ(statistics.end_ns, kBegin + 30'000);
}

TEST_F(KernelStatisticsTest, DamageIsTold) {
  EXPECT_EQ(SummarizeKernels(folder_.path(), {}).status().code(), Code::kNotFound);
  KernelFileForTest file;
  file.Kernel("a", 10, 20, 5);
  file.EndBlock();
  std::string bytes = file.bytes();
  file.Kernel("b", 100, 20, 90);
  file.Window(0, 1000);
  bytes = file.bytes();
  bytes[bytes.size() - 10] ^= 1;
  folder_.Write("framework/pevents/2026010112/1_88-algo-1_kernels.bin", bytes);
  folder_.Write("framework/pevents/2026010112/2_88-algo-1_kernels.bin", "something else");
  folder_.Write("framework/99-algo-1_kernels.bin.tmp", "");
  const KernelStatistics statistics = Summarize();
  EXPECT_EQ(statistics.launches, 1u);
  ASSERT_EQ(statistics.problems.size(), 2u);
  EXPECT_NE(statistics.problems[0].find("payload checksum mismatch"), std::string::npos);
  EXPECT_NE(statistics.problems[1].find("not a file of GPU activity"), std::string::npos);
}

TEST_F(KernelStatisticsTest, EventsComeInTheOrderOfTime) {
  std::mt19937_64 random(7);
  KernelFileForTest first, second;
  for (int i = 0; i < 3000; ++i) {
    KernelFileForTest& file = random() % 2 == 0 ? first : second;
    // Blocks overlap, and events in them are in any order.
    file.Kernel("a", i + static_cast<int64_t>(random() % 500), 3, i);
    if (random() % 100 == 0) file.EndBlock();
  }
  first.Window(0, 4000);
  second.Window(0, 4000);
  folder_.Write(kUnfinishedKernels, first.bytes());
  folder_.Write("framework/99-algo-1_kernels.bin.tmp", second.bytes());
  KernelStream stream(ActivityFiles(folder_.path(), true));
  int64_t last = 0;
  int events = 0;
  for (; !stream.done(); stream.Next(), ++events) {
    ASSERT_GE(stream.event().start_ns, last);
    last = stream.event().start_ns;
  }
  EXPECT_EQ(events, 6000);
  EXPECT_TRUE(stream.problems().empty());
}

// What DeviceActivity adds up, microsecond by microsecond.
TEST(DeviceActivity, AddsUpAsCountingDoes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    constexpr int64_t kLength = 400;
    std::vector<format::KernelWindow> windows;
    for (int64_t at = static_cast<int64_t>(random() % 20); at < kLength;) {
      const int64_t end = at + 1 + static_cast<int64_t>(random() % 150);
      windows.push_back({at, end, 0});
      at = end + static_cast<int64_t>(random() % 30);
    }
    std::vector<std::pair<int64_t, int64_t>> work;
    for (uint64_t i = random() % 60; i > 0; --i) {
      const auto start = static_cast<int64_t>(random() % kLength);
      work.emplace_back(start, start + static_cast<int64_t>(random() % 30));
    }
    std::sort(work.begin(), work.end());
    DeviceActivity activity(windows, 3);
    for (const auto& [start, end] : work) activity.Add(start, end, 0, 1);
    activity.Finish(kLength * 2);

    int64_t busy = 0;
    int64_t recorded = 0;
    uint64_t gaps = 0;
    for (const format::KernelWindow& window : windows) {
      recorded += window.end_ns - window.start_ns;
      bool idle = false;
      for (int64_t at = window.start_ns; at < window.end_ns; ++at) {
        const bool works = std::any_of(work.begin(), work.end(), [&](const auto& span) {
          return span.first <= at && at < span.second;
        });
        if (works) ++busy;
        if (!works && !idle) ++gaps;
        idle = !works;
      }
    }
    // Work that began before its window is not counted there: it was not recorded.
    EXPECT_LE(activity.busy_ns(), busy) << round;
    EXPECT_EQ(activity.window_ns(), recorded) << round;
    if (windows.size() == 1) {
      EXPECT_EQ(activity.gap_count(), gaps) << round;
    }
    EXPECT_LE(activity.gaps().size(), 3u);
    for (size_t i = 1; i < activity.gaps().size(); ++i) {
      EXPECT_GE(activity.gaps()[i - 1].duration_ns, activity.gaps()[i].duration_ns);
    }
  }
}

TEST(DurationHistogram, QuantilesAreNear) {
  DurationHistogram histogram;
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  for (int64_t ns = 1; ns <= 100'000; ++ns) histogram.Add(ns);
  histogram.Add(-5);
  EXPECT_NEAR(histogram.Quantile(0.5), 50'000, 3'200);
  EXPECT_NEAR(histogram.Quantile(0.95), 95'000, 6'000);
  EXPECT_EQ(histogram.max_ns(), 100'000);
  histogram.Add(INT64_MAX / 2);
  EXPECT_GT(histogram.Quantile(1), 1e18);
}

struct NameCase {
  const char* name;
  KernelKind kind;
  Precision precision;
  bool tensor_cores;
};

TEST(KernelName, NamesTellKindAndPrecision) {
  const NameCase cases[] = {
      {"nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT", KernelKind::kMatmul, Precision::kBf16, true},
      {"nvjet_hsh_64x64_64x16_1x2_h_bz_NNT", KernelKind::kMatmul, Precision::kFp16, true},
      {"ampere_sgemm_128x64_nn", KernelKind::kMatmul, Precision::kFp32, false},
      {"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x64x16", KernelKind::kMatmul,
       Precision::kTf32, true},
      {"sm80_xmma_fprop_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc",
       KernelKind::kConvolution, Precision::kBf16, true},
      {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, cutlass::bfloat16_t>>",
       KernelKind::kAttention, Precision::kBf16, true},
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
       KernelKind::kCommunication, Precision::kBf16, false},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<"
       "float>>",
       KernelKind::kOptimizer, Precision::kFp32, false},
      {"triton_per_fused_native_layer_norm_3", KernelKind::kNormalization, Precision::kUnknown,
       false},
      {"triton_poi_fused_convert_element_type_0", KernelKind::kElementwise, Precision::kUnknown,
       false},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<double>>",
       KernelKind::kElementwise, Precision::kFp64, false},
      {"", KernelKind::kOther, Precision::kUnknown, false},
  };
  for (const NameCase& item : cases) {
    const KernelTraits traits = GuessKernel(item.name);
    EXPECT_EQ(KernelKindName(traits.kind), KernelKindName(item.kind)) << item.name;
    EXPECT_EQ(PrecisionName(traits.precision), PrecisionName(item.precision)) << item.name;
    EXPECT_EQ(traits.tensor_cores, item.tensor_cores) << item.name;
  }
}

TEST_F(KernelStatisticsTest, TheMergedTimelineHasThemWithArrows) {
  KernelFileForTest file;
  file.Kernel("void gemm<\"x\">", 100, 300, 90);
  file.Copy(1, 4096, 520, 50, 500);
  file.Window(0, 1000);
  folder_.Write(kUnfinishedKernels, file.bytes());
  MergeOptions options;
  options.out = folder_.PathOf("merged.json");
  const auto merged = MergeTimelines(folder_.path(), options);
  ASSERT_TRUE(merged.ok()) << merged.status().message();
  EXPECT_EQ(merged.value().kernels, 4);
  EXPECT_EQ(merged.value().spans, 4);
  const Json events = ReadJsonFile(options.out);
  std::map<std::string, std::map<int64_t, double>> flows;
  double last = 0;
  bool found = false;
  for (const Json& event : events) {
    const std::string kind = event["ph"];
    if (kind == "M") continue;
    const double time = event["ts"];
    EXPECT_GE(time, last);
    last = time;
    if (kind == "s" || kind == "f") flows[kind][event["id"]] = time;
    if (event["name"] != "void gemm<\"x\">") continue;
    found = true;
    EXPECT_EQ(event["dur"], 300);
    EXPECT_EQ(event["tid"], 7);
    EXPECT_EQ(event["args"]["grid"], "132x1x1");
  }
  EXPECT_TRUE(found);
  ASSERT_EQ(flows["s"].size(), 2u);
  ASSERT_EQ(flows["f"].size(), 2u);
  for (const auto& [id, time] : flows["s"]) EXPECT_LT(time, flows["f"].at(id));

  options.kernels = false;
  EXPECT_EQ(MergeTimelines(folder_.path(), options).value().spans, 0);
}

}  // namespace
}  // namespace warden::timeline
