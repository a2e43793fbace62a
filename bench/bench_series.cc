// Shows curves of a long run: how soon the first one has its shape, how long reading all of it
// takes, what it costs in memory. Each run of this program is one sample, for its peak memory is
// part of it.
//   bench_series --run FOLDER [--steps N] [--tensors N] [--json] write|first|whole
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "warden/config/manifest.h"
#include "warden/format/event_message.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"
#include "warden/view/series/curve.h"
#include "warden/view/series/heatmap.h"
#include "warden/view/series/run_series.h"
#include "warden/view/series/tensor_list.h"

namespace warden::bench {
namespace {

struct Options {
  std::string run;
  int steps = 10'000;
  int tensors = 1'000;
};

constexpr std::string_view kWorker = "worker_0";
constexpr size_t kPoints = 1000;

double PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

std::string TensorName(int i) { return "gradient/layer" + std::to_string(i) + "_weight_l2"; }

// A curve that falls, with noise that is the same every time.
float ValueAt(int tensor, int step) {
  const uint32_t noise =
      (static_cast<uint32_t>(step) * 2654435761u) ^ (static_cast<uint32_t>(tensor) * 40503u);
  return std::exp(-static_cast<float>(step) / 3000.0f) + static_cast<float>(noise % 997) / 9970.0f;
}

// Straight to the files: a hook would take longer than everything that is measured here.
void WriteStep(storage::Store& store, const std::vector<std::string>& names, int step) {
  const std::string event_key = format::EventFileKey(step, kWorker);
  format::IndexFile index;
  index.mode = Mode::kTrain;
  index.mode_step = step;
  index.event_file = event_key;
  std::string events, tail;
  for (size_t i = 0; i < names.size(); ++i) {
    const float value = ValueAt(static_cast<int>(i), step);
    const size_t start = events.size();
    tail.clear();
    format::EncodeTensorRecord({.wall_time = 1.7e9 + 0.1 * step,
                                .step = step,
                                .tag = names[i],
                                .mode = Mode::kTrain,
                                .mode_step = step,
                                .content_size = sizeof(value)},
                               &events, &tail);
    events.append(reinterpret_cast<const char*>(&value), sizeof(value));
    events += tail;
    index.entries.push_back({names[i], start, events.size() - start});
  }
  Require(store.Put(event_key, AsBytes(events)));
  Require(store.Put(format::IndexFileKey(step, kWorker), AsBytes(format::EncodeIndexFile(index))));
}

void WriteRun(const Options& options) {
  const auto store = Require(storage::OpenStore(options.run));
  config::Manifest manifest;
  manifest.collections = config::BuiltinCollections(config::Framework::kPyTorch);
  Require(store->Put(format::ManifestKey(kWorker), AsBytes(config::EncodeManifest(manifest))));
  std::vector<std::string> names;
  for (int i = 0; i < options.tensors; ++i) names.push_back(TensorName(i));
  for (int step = 0; step < options.steps; ++step) WriteStep(*store, names, step);
  Require(store->Put(format::kEndMarker, {}));
}

// All that a page shows first: the list of tensors and eight curves.
size_t FirstAnswer(const view::RunSeries& run) {
  run.WaitForShape(std::chrono::minutes(1));
  size_t points = view::ListTensors(run).size();
  run.With([&](const view::Table& table) {
    const view::SlotAxis axis(table, {});
    for (int i = 0; i < 8; ++i) {
      const view::TensorEntry* tensor = table.Find(TensorName(i));
      if (tensor == nullptr) continue;
      points += view::MakeCurve(table, view::PointsOf(table, *tensor, {}, axis), kPoints).x.size();
    }
  });
  return points;
}

double SecondsOfHeatmap(const view::RunSeries& run) {
  return Seconds([&] {
    run.With([](const view::Table& table) {
      view::HeatmapWanted wanted;
      for (const view::TensorEntry& tensor : table.tensors()) wanted.tensors.push_back(&tensor);
      Use(view::MakeHeatmap(table, wanted).values.size());
    });
  });
}

Measurements First(const Options& options) {
  size_t points = 0;
  std::unique_ptr<view::RunSeries> run;
  const double seconds = Seconds([&] {
    run = std::make_unique<view::RunSeries>(Require(storage::OpenStore(options.run)));
    points = FirstAnswer(*run);
  });
  return {{"seconds", seconds},
          {"steps", static_cast<double>(run->progress().steps)},
          {"points", static_cast<double>(points)},
          {"peak", PeakBytes()}};
}

Measurements Whole(const Options& options) {
  std::unique_ptr<view::RunSeries> run;
  const double seconds = Seconds([&] {
    run = std::make_unique<view::RunSeries>(Require(storage::OpenStore(options.run)));
    run->WaitUntilRead(std::chrono::hours(1));
  });
  const double answer = Seconds([&] { Use(FirstAnswer(*run)); });
  const double heatmap = SecondsOfHeatmap(*run);
  const size_t table = run->With([](const view::Table& t) { return t.bytes(); });
  return {{"seconds", seconds},
          {"answer", answer},
          {"heatmap", heatmap},
          {"table", static_cast<double>(table)},
          {"peak", PeakBytes()}};
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  using namespace warden::bench;
  Options options;
  Sampler sampler;
  CLI::App app("Shows curves of a long run");
  app.add_option("--run", options.run, "The run's folder")->required();
  app.add_option("--steps", options.steps, "Steps to write");
  app.add_option("--tensors", options.tensors, "Tensors in a step");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  sampler.Add("write",
              [&]() -> Measurements { return {{"seconds", Seconds([&] { WriteRun(options); })}}; });
  sampler.Add("first", [&] { return First(options); });
  sampler.Add("whole", [&] { return Whole(options); });
  return sampler.Run();
}
