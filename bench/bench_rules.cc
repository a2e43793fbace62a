// Evaluates a run of gradients by rules. Each step is read from its file, as it is live.
//   bench_rules --run FOLDER [--steps N] [--tensors N] [--kib N] [--json] write|all|one_pass|...
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "bench/read_pass.h"
#include "warden/capture/capture_hook.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/engine/engine.h"
#include "warden/storage/shortened_files.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"

namespace warden::bench {
namespace {

struct Options {
  std::string run;
  int steps = 500;
  int tensors = 100;
  int64_t kib = 4;
};

// The 20 rules of the original; those that look at nothing by default look at the gradients.
std::string AllRules(const std::string& run) {
  return "AllZero:collection_names=gradients,CheckInputImages,ClassImbalance,Confusion,DeadRelu,"
         "ExplodingTensor,FeatureImportanceOverweight,LossNotDecreasing,NLPSequenceRatio,Overfit,"
         "Overtraining,PoorWeightInitialization,SaturatedActivation,StalledTrainingRule,"
         "SimilarAcrossRuns:collection_names=gradients;other_trials=" +
         run +
         ",TensorVariance:collection_names=gradients;max_threshold=100,TreeDepth,"
         "UnchangedTensor:collection_names=gradients,VanishingGradient,WeightUpdateRatio";
}
constexpr char kOnePassRules[] =
    "AllZero:collection_names=gradients,ExplodingTensor,VanishingGradient,"
    "TensorVariance:collection_names=gradients;max_threshold=100";

void WriteRun(const Options& options) {
  capture::HookOptions hook_options;
  hook_options.config.out_dir = options.run;
  hook_options.config.include_collections = {"gradients"};
  for (const Mode mode : kAllModes) hook_options.config.save_config.mode(mode).save_interval = 1;
  const auto hook = Require(capture::Hook::Create(hook_options));
  std::vector<const capture::TensorHandle*> handles;
  for (int i = 0; i < options.tensors; ++i) {
    handles.push_back(hook->Register("gradient/layer" + std::to_string(i) + ".weight"));
  }
  const int64_t elements = options.kib * 256;
  std::vector<float> values(static_cast<size_t>(elements));
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float& value : values) value = normal(random);
  for (int step = 0; step < options.steps; ++step) {
    hook->BeginStep();
    for (const auto* handle : handles) {
      // Each tensor differs from the one before, as those of a training do.
      for (size_t i = 0; i < values.size(); i += 64) values[i] += 0.01f;
      hook->Save(handle, {values.data(), DType::kFloat32, std::span(&elements, 1)});
    }
  }
  Require(hook->Close());
}

Measurements Evaluate(const Options& options, const std::string& text) {
  std::shared_ptr<const storage::Store> store = Require(storage::OpenStore(options.run));
  std::shared_ptr<trial::Trial> trial = Require(trial::Trial::Open(store, trial::TrialOptions()));
  std::vector<std::string> notices;
  auto rules = Require(rules::PrepareRules(Require(rules::ParseRuleText(text)), &notices));
  const auto engine = Require(rules::Engine::Make(std::move(rules), trial, {}));
  int64_t steps = 0;
  const double seconds = Seconds([&] {
    steps = engine->Advance(INT64_MAX, [](const rules::RuleState&, const rules::Finding&) {});
  });
  return {{"seconds", seconds},
          {"steps", static_cast<double>(steps)},
          {"bytes", static_cast<double>(steps * options.tensors * options.kib * 1024)}};
}

// The speed of memory: a pass that only reads.
Measurements ReadMemory() {
  static const std::vector<std::byte> memory(256 << 20, std::byte{1});
  const double seconds = Seconds([&] { Use(ReadAhead(memory)); });
  return {{"seconds", seconds}, {"bytes", static_cast<double>(memory.size())}};
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  warden::storage::SurviveShortenedFiles();  // As the program does: it maps files.
  using namespace warden::bench;
  Options options;
  Sampler sampler;
  CLI::App app("Evaluates rules on a run of gradients");
  app.add_option("--run", options.run, "The run's folder")->required();
  app.add_option("--steps", options.steps, "Steps to write");
  app.add_option("--tensors", options.tensors, "Tensors in a step");
  app.add_option("--kib", options.kib, "KiB of each");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  sampler.Add("write",
              [&]() -> Measurements { return {{"seconds", Seconds([&] { WriteRun(options); })}}; });
  sampler.Add("all", [&] { return Evaluate(options, AllRules(options.run)); });
  sampler.Add("one_pass", [&] { return Evaluate(options, kOnePassRules); });
  sampler.Add("vanishing", [&] { return Evaluate(options, "VanishingGradient"); });
  sampler.Add("read", ReadMemory);
  return sampler.Run();
}
