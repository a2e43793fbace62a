// What a step costs the training loop: one that saves nothing, and small ones that save a little.
//   bench_steps [--dir FOLDER] [--steps N] [--json] [VARIANT...]
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_program.h"
#include "warden/capture/capture_hook.h"

namespace warden::bench {
namespace {

using capture::Hook;
using capture::TensorHandle;

constexpr int kTensors = 1000;
constexpr int kSmallTensors = 84;
constexpr int64_t kElements = 64;

std::unique_ptr<Hook> MakeHook(const std::string& folder, int64_t interval) {
  capture::HookOptions options;
  options.config.out_dir = folder;
  options.config.include_collections = {"weights", "biases", "gradients", "losses"};
  for (const Mode mode : kAllModes) options.config.save_config.mode(mode).save_interval = interval;
  auto hook = Require(Hook::Create(options));
  hook->SetMode(Mode::kTrain);
  return hook;
}

std::vector<std::string> TensorNames(int count) {
  std::vector<std::string> names = {"CrossEntropyLoss_output_0"};
  for (int i = 0; std::ssize(names) < count; ++i) {
    const std::string layer = "layer" + std::to_string(i / 4);
    const std::string parameter = i % 2 == 0 ? ".weight" : ".bias";
    names.push_back((i % 4 < 2 ? "" : "gradient/") + layer + parameter);
  }
  return names;
}

// A hook that knows all tensors and saves none of them from here on.
struct IdleHook {
  IdleHook() : hook(MakeHook("mem:", 1'000'000)), names(TensorNames(kTensors)) {
    for (const std::string& name : names) handles.push_back(hook->Register(name));
    hook->BeginStep();  // The first step is one that is saved.
  }

  std::unique_ptr<Hook> hook;
  std::vector<std::string> names;
  std::vector<const TensorHandle*> handles;
};

Measurements IdleByHandle(IdleHook* idle, int steps) {
  int wanted = 0;
  const double seconds = Seconds([&] {
    for (int step = 0; step < steps; ++step) {
      idle->hook->BeginStep();
      for (const TensorHandle* handle : idle->handles) wanted += idle->hook->Wants(handle);
    }
  });
  if (wanted != 0) Require(Status(Code::kInvalid, "a step that should save nothing would"));
  return {{"seconds", seconds}, {"steps", steps}};
}

Measurements IdleByName(IdleHook* idle, int steps) {
  int wanted = 0;
  const double seconds = Seconds([&] {
    for (int step = 0; step < steps; ++step) {
      idle->hook->BeginStep();
      for (const std::string& name : idle->names) wanted += idle->hook->Wants(name);
    }
  });
  if (wanted != 0) Require(Status(Code::kInvalid, "a step that should save nothing would"));
  return {{"seconds", seconds}, {"steps", steps}, {"calls", double{kTensors} * steps}};
}

// Steps that go to the disk: all of the hook's life is in the time. What is written stays until
// somebody removes it: file systems are slow to make files right after many were removed.
Measurements Saving(const std::string& dir, int steps, const std::function<void(Hook*)>& save) {
  static int number = 0;
  const std::string folder = dir + "/steps-" + std::to_string(number++);
  std::filesystem::remove_all(folder);
  const double seconds = Seconds([&] {
    const auto hook = MakeHook(folder, 1);
    for (int step = 0; step < steps; ++step) {
      hook->BeginStep();
      save(hook.get());
    }
    Require(hook->Close());
  });
  return {{"seconds", seconds}, {"steps", steps}};
}

}  // namespace
}  // namespace warden::bench

int main(int argc, char** argv) {
  using namespace warden::bench;
  std::string dir = "build/bench";
  int steps = 200;
  Sampler sampler;
  CLI::App app("What a step costs the training loop");
  app.add_option("--dir", dir, "Where steps are saved");
  app.add_option("--steps", steps, "Steps that are saved; a hundred times as many are not");
  sampler.AddFlags(&app);
  CLI11_PARSE(app, argc, argv);

  IdleHook idle;
  const std::vector<std::string> names = TensorNames(kSmallTensors);
  const std::vector<float> values(kElements, 1.0F);
  sampler.Add("idle", [&] { return IdleByHandle(&idle, 100 * steps); });
  sampler.Add("idle_by_name", [&] { return IdleByName(&idle, steps); });
  sampler.Add("save_scalar", [&] {
    return Saving(dir, steps, [](Hook* hook) { hook->SaveScalar("loss", 0.5); });
  });
  sampler.Add("save_small", [&] {
    return Saving(dir, steps, [&](Hook* hook) {
      for (const std::string& name : names) {
        hook->Save(name, {values.data(), warden::DType::kFloat32, std::span(&kElements, 1)});
      }
    });
  });
  return sampler.Run();
}
