// Reads and merges profiler data that it has written before.
//   bench_timeline --dir FOLDER [--lines N] [--megabytes N] [--json] write|metrics|spans|merge|copy
// "copy" reads the timelines and copies each byte once, which no merge can be faster than.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "warden/format/metric_line.h"
#include "warden/format/profiler_layout.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/import/span_table.h"
#include "warden/timeline/merge/merge.h"
#include "warden/timeline/metric_table.h"

namespace warden::bench {
namespace {

struct Options {
  std::string dir;
  int64_t lines = 1'000'000;
  int64_t megabytes = 256;
};

constexpr int64_t kStart = 1'767'268'800;  // Seconds since 1970, a full minute.
constexpr int kCores = 48;
constexpr double kInterval = 0.1;
constexpr size_t kFileBytes = size_t{10} << 20;  // As the original rotates its timelines.
constexpr int kProcesses = 2;

double PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void WriteFile(const std::string& folder, const std::string& key, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(folder) / key;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

void WriteMetrics(const Options& options) {
  std::mt19937 random(1);
  const auto percent = [&] { return static_cast<double>(random() % 10000) / 100; };
  int64_t lines = 0;
  for (int64_t minute = kStart; lines < options.lines; minute += 60) {
    std::string text;
    for (int tick = 0; tick < 60 / kInterval && lines < options.lines; ++tick) {
      const double time = static_cast<double>(minute) + tick * kInterval;
      for (int core = 0; core < kCores && lines < options.lines; ++core, lines += 2) {
        const std::string name = fmt::format("cpu{}", core);
        format::AppendMetricLine({"cpu", name, "CPUUtilization", percent(), "algo-1", time}, &text);
        format::AppendMetricLine({"cpu", name, "I/OWaitPercentage", percent(), "algo-1", time},
                                 &text);
      }
    }
    WriteFile(options.dir, format::MetricFileKey(minute, "algo-1"), text);
  }
}

std::string TimelineHead() {
  std::string text = fmt::format(
      "[\n"
      R"({{"name": "process_name", "ph": "M", "pid": 0, "args": {{)"
      R"("start_time_since_epoch_in_micros": {}}}}},)"
      "\n",
      kStart * 1'000'000);
  int pid = 0;
  for (const char* phase :
       {"Step:ModeKeys.TRAIN", "Forward", "Backward", "cpu_functions", "gpu_functions-dev:0"}) {
    text +=
        fmt::format(R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": "{}"}}}},)"
                    "\n",
                    ++pid, phase);
  }
  return text;
}

// Files of two processes at the same time, their spans in the order in which they end.
void WriteTimelines(const Options& options) {
  constexpr std::array<const char*, 5> kOperators = {
      "aten::conv2d", "aten::add_", "aten::batch_norm", "aten::linear",
      "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x4>(Params)"};
  for (int process = 0; process < kProcesses; ++process) {
    std::mt19937 random(process);
    int64_t now = 0;
    const auto all = static_cast<size_t>(options.megabytes) * 1'000'000 / kProcesses;
    for (size_t written = 0; written < all;) {
      std::string text = TimelineHead();
      while (text.size() < kFileBytes && written + text.size() < all) {
        now += 60 + random() % 60;
        const int64_t duration = 1 + random() % 500;
        text += fmt::format(
            R"({{"name": "{}", "pid": {}, "ph": "X", "ts": {}, "dur": {}, "args": {{"pid": {}, )"
            R"("step_num": "{}", "tid": {}}}}},)"
            "\n",
            kOperators[random() % kOperators.size()], 1 + random() % 5, now - duration, duration,
            900 + process, now / 100'000, random() % 4);
      }
      written += text.size();
      text.resize(text.size() - 2);
      const std::string node = fmt::format("{}-algo-1", 900 + process);
      WriteFile(options.dir,
                format::TimelineFileKey(kStart * 1'000'000 + now, node, format::kPythonTimeline),
                text + "\n]");
    }
  }
}

Measurements ReadAllMetrics(const Options& options) {
  size_t rows = 0;
  const double seconds =
      Seconds([&] { rows = Require(timeline::ReadMetrics(options.dir, {})).size(); });
  return {{"seconds", seconds}, {"lines", static_cast<double>(rows)}, {"peak", PeakBytes()}};
}

Measurements ReadAllSpans(const Options& options) {
  size_t rows = 0;
  const double seconds =
      Seconds([&] { rows = Require(timeline::ReadSpans(options.dir, {})).size(); });
  return {{"seconds", seconds}, {"spans", static_cast<double>(rows)}, {"peak", PeakBytes()}};
}

Measurements Merge(const Options& options) {
  timeline::MergeOptions merge;
  merge.system = false;
  merge.out = options.dir + "/merged.json";
  timeline::MergeResult result;
  const double seconds =
      Seconds([&] { result = Require(timeline::MergeTimelines(options.dir, merge)); });
  std::filesystem::remove(merge.out);
  const auto bytes = static_cast<double>(result.bytes_read);
  return {{"seconds", seconds},
          {"bytes", bytes},
          {"megabytes_per_second", bytes / 1e6 / seconds},
          {"peak", PeakBytes()}};
}

Measurements Copy(const Options& options) {
  double bytes = 0;
  const auto files = timeline::TraceFiles(options.dir, {}, timeline::kTimeBufferUs, true, {});
  const double seconds = Seconds([&] {
    for (const timeline::TraceFile& file : files) {
      const timeline::PaddedText text = Require(timeline::ReadWholeFile(file));
      std::vector<char> copy(text.size());
      std::memcpy(copy.data(), text.text().data(), text.size());
      Use(copy);
      bytes += static_cast<double>(text.size());
    }
  });
  return {{"seconds", seconds}, {"bytes", bytes}, {"megabytes_per_second", bytes / 1e6 / seconds}};
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  using namespace warden::bench;
  Options options;
  Sampler sampler;
  CLI::App app("Reads and merges profiler data that it has written before");
  app.add_option("--dir", options.dir, "The profiler's folder")->required();
  app.add_option("--lines", options.lines, "Lines of metrics to write");
  app.add_option("--megabytes", options.megabytes, "Timelines to write");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  sampler.Add("write", [&]() -> Measurements {
    return {{"seconds", Seconds([&] {
               WriteMetrics(options);
               WriteTimelines(options);
             })}};
  });
  sampler.Add("metrics", [&] { return ReadAllMetrics(options); });
  sampler.Add("spans", [&] { return ReadAllSpans(options); });
  sampler.Add("merge", [&] { return Merge(options); });
  sampler.Add("copy", [&] { return Copy(options); });
  return sampler.Run();
}
