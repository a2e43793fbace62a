// Opens a run and reads one tensor over all its steps. Each run of this program is one sample, for
// its peak memory is part of it.
//   bench_opening --run FOLDER [--steps N] [--tensors N] [--json] write|read
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "warden/capture/capture_hook.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"

namespace warden::bench {
namespace {

struct Options {
  std::string run;
  int steps = 2000;
  int tensors = 50;
};

constexpr int64_t kElements = 64;
constexpr const char* kTensorRead = "layer7/weight";

double PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void WriteRun(const Options& options) {
  capture::HookOptions hook_options;
  hook_options.config.out_dir = options.run;
  hook_options.config.include_collections = {"weights"};
  for (const Mode mode : kAllModes) hook_options.config.save_config.mode(mode).save_interval = 1;
  const auto hook = Require(capture::Hook::Create(hook_options));
  std::vector<const capture::TensorHandle*> handles;
  for (int i = 0; i < options.tensors; ++i) {
    handles.push_back(hook->Register("layer" + std::to_string(i) + "/weight"));
  }
  std::vector<float> values(kElements);
  for (int step = 0; step < options.steps; ++step) {
    hook->BeginStep();
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(step + 1) / (i + 1);
    for (const auto* handle : handles) {
      hook->Save(handle, {values.data(), DType::kFloat32, std::span(&kElements, 1)});
    }
  }
  Require(hook->Close());
}

// Returns the number of steps; every value is touched.
size_t ReadRun(const Options& options) {
  std::shared_ptr<const storage::Store> store = Require(storage::OpenStore(options.run));
  const auto trial = Require(trial::Trial::Open(store, trial::TrialOptions()));
  const size_t steps = trial->Steps().size();
  double sum = 0;
  for (const Step step : Require(trial->TensorSteps(kTensorRead))) {
    const trial::TensorValue value = Require(trial->Value(kTensorRead, step));
    const auto* numbers = reinterpret_cast<const float*>(value.data.data());
    for (size_t i = 0; i < value.data.size() / sizeof(float); ++i) sum += numbers[i];
  }
  Use(sum);
  return steps;
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  using namespace warden::bench;
  Options options;
  Sampler sampler;
  CLI::App app("Opens a run and reads one tensor over all its steps");
  app.add_option("--run", options.run, "The run's folder")->required();
  app.add_option("--steps", options.steps, "Steps to write");
  app.add_option("--tensors", options.tensors, "Tensors in a step; at least 8");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  sampler.Add("write",
              [&]() -> Measurements { return {{"seconds", Seconds([&] { WriteRun(options); })}}; });
  sampler.Add("read", [&]() -> Measurements {
    size_t steps = 0;
    const double seconds = Seconds([&] { steps = ReadRun(options); });
    return {{"seconds", seconds}, {"steps", static_cast<double>(steps)}, {"peak", PeakBytes()}};
  });
  return sampler.Run();
}
