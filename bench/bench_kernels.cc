// Sums up and merges GPU activity that it has written before.
//   bench_kernels --dir FOLDER [--kernels N] [--json] write|statistics|merge
// "write" tells how many bytes an event takes.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "bench/bench_program.h"
#include "warden/format/kernel_block.h"
#include "warden/format/kernel_layout.h"
#include "warden/timeline/kernels/kernel_statistics.h"
#include "warden/timeline/merge/merge.h"

namespace warden::bench {
namespace {

struct Options {
  std::string dir;
  int64_t kernels = 5'000'000;
};

constexpr int64_t kBeginNs = 1'795'083'637'000'000'000;
constexpr int kKernelsOfStep = 1200;
constexpr int kDifferentKernels = 150;
constexpr size_t kFileBytes = size_t{64} << 20;

double PeakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// The steps of a large language model: each kernel is launched some milliseconds before it runs.
Measurements Write(const Options& options) {
  std::mt19937_64 random(1);
  format::KernelBlockWriter writer;
  std::string bytes(format::kKernelFileMagic);
  uint64_t all_bytes = 0;
  int64_t events = 0;
  int file = 0;
  int64_t gpu_ns = kBeginNs;
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low));
  };
  const auto end_file = [&] {
    writer.Add(format::KernelWindow{kBeginNs, gpu_ns, 0});
    writer.Finish(&bytes);
    const std::filesystem::path path =
        std::filesystem::path(options.dir) /
        format::TimelineFileKey(gpu_ns / 1000, std::to_string(file++) + "-algo-1",
                                format::kKernelTimeline);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    all_bytes += bytes.size();
    bytes = format::kKernelFileMagic;
    writer.Restart();
  };
  const double seconds = Seconds([&] {
    for (int64_t i = 0; i < options.kernels; ++i) {
      const auto which = static_cast<uint32_t>(i % kKernelsOfStep * 7 % kDifferentKernels);
      format::KernelLaunch launch;
      launch.name = writer.NameId("void at::native::kernel_" + std::to_string(which) + "<float>");
      launch.grid = {which + 1, 1, 1};
      launch.block = {256, 1, 1};
      format::GpuEvent kernel;
      kernel.name = writer.LaunchId(launch);
      kernel.lane = writer.LaneId({.context = 1, .stream = 7});
      kernel.start_ns = gpu_ns + between(700, 1600);
      kernel.duration_ns = between(2000, 4000) * (1 + which % 20);
      kernel.correlation = static_cast<uint32_t>(2 * i + 1);
      gpu_ns = kernel.end_ns();
      format::GpuEvent call;
      call.work = format::GpuWork::kCall;
      call.name = writer.NameId("cudaLaunchKernel");
      call.lane = writer.LaneId({.thread = 123'456'789});
      call.start_ns = kernel.start_ns - between(4'000'000, 4'010'000);
      call.duration_ns = between(2500, 6000);
      call.correlation = kernel.correlation;
      writer.Add(kernel);
      writer.Add(call);
      events += 2;
      if (writer.due()) writer.Finish(&bytes);
      if (bytes.size() > kFileBytes) end_file();
    }
    end_file();
  });
  return {{"seconds", seconds},
          {"events", static_cast<double>(events)},
          {"bytes", static_cast<double>(all_bytes)},
          {"bytes_per_event", static_cast<double>(all_bytes) / static_cast<double>(events)}};
}

Measurements Summarize(const Options& options) {
  uint64_t kernels = 0;
  const double seconds =
      Seconds([&] { kernels = Require(timeline::SummarizeKernels(options.dir, {})).launches; });
  return {{"seconds", seconds},
          {"kernels", static_cast<double>(kernels)},
          {"kernels_per_second", static_cast<double>(kernels) / seconds},
          {"peak", PeakMemory()}};
}

Measurements MergeKernels(const Options& options) {
  timeline::MergeOptions merge;
  merge.system = false;
  merge.out = options.dir + "/merged.json";
  timeline::MergeResult result;
  const double seconds =
      Seconds([&] { result = Require(timeline::MergeTimelines(options.dir, merge)); });
  std::filesystem::remove(merge.out);
  return {{"seconds", seconds},
          {"events", static_cast<double>(result.kernels)},
          {"bytes", static_cast<double>(result.bytes_written)},
          {"peak", PeakMemory()}};
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  using namespace warden::bench;
  Options options;
  Sampler sampler;
  CLI::App app("Sums up and merges GPU activity that it has written before");
  app.add_option("--dir", options.dir, "The profiler's folder")->required();
  app.add_option("--kernels", options.kernels, "Kernels to write, each with its launch");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  sampler.Add("write", [&] { return Write(options); });
  sampler.Add("statistics", [&] { return Summarize(options); });
  sampler.Add("merge", [&] { return MergeKernels(options); });
  return sampler.Run();
}
