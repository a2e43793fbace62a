// Trains a small libtorch network and records it under PyTorch's names, so rules find their tensors
// without further settings.
//   warden run -- train_torch [--steps N] [--fault vanishing|exploding|dead_relu]
//   train_torch --out RUN ...
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "torch_recorder.h"

namespace {

using example::TorchRecorder;

constexpr int kInputs = 8;
constexpr int kWidth = 32;
constexpr int kClasses = 4;
constexpr int kPoints = 256;

struct Settings {
  std::string out;  // Empty: as the environment says.
  std::string fault;
  int steps = 200;
};

// Layers fc1, relu1, fc2, ...
class Net : public torch::nn::Module {
 public:
  Net(int depth, bool sigmoid) : activation_(sigmoid ? "sigmoid" : "relu") {
    for (int i = 1; i <= depth; ++i) {
      torch::nn::Linear layer(i == 1 ? kInputs : kWidth, i == depth ? kClasses : kWidth);
      layers_.push_back(register_module("fc" + std::to_string(i), layer));
    }
  }

  torch::Tensor Forward(torch::Tensor x, TorchRecorder* recorder) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      x = recorder->SaveOutput("fc" + number, layers_[i]->forward(x));
      if (i + 1 == layers_.size()) break;
      x = activation_ == "relu" ? torch::relu(x) : torch::sigmoid(x);
      x = recorder->SaveOutput(activation_ + number, x);
    }
    return x;
  }

  void NameRoles(tensorwarden::Hook* hook) const {
    for (size_t i = 1; i < layers_.size(); ++i) {
      hook->AddRole(activation_ + "_output", activation_ + std::to_string(i) + "_output_");
    }
  }

  // Its outputs are below zero for every input.
  void KillFirstLayer() {
    const torch::NoGradGuard guard;
    layers_.front()->bias.fill_(-100.0);
  }

 private:
  const std::string activation_;
  std::vector<torch::nn::Linear> layers_;
};

tensorwarden::Hook MakeHook(const Settings& settings) {
  tensorwarden::Options options;
  options.Framework("pytorch");
  if (settings.out.empty()) return tensorwarden::Hook::FromEnvironment(options);
  options.OutDir(settings.out).Set("save_interval", "10").SetFor("losses", "save_interval", "1");
  for (const char* name : {"weights", "biases", "gradients", "relu_output"}) options.Include(name);
  return tensorwarden::Hook(options);
}

void Train(const Settings& settings, tensorwarden::Hook* hook) {
  torch::manual_seed(0);
  torch::set_num_threads(1);
  const bool vanishing = settings.fault == "vanishing";
  Net net(vanishing ? 16 : 3, vanishing);
  if (settings.fault == "dead_relu") net.KillFirstLayer();
  net.NameRoles(hook);
  TorchRecorder recorder("Net", &net, hook);
  const torch::Tensor labels = torch::arange(kPoints) % kClasses;
  const torch::Tensor points = 2 * torch::randn({kClasses, kInputs}).index_select(0, labels) +
                               torch::randn({kPoints, kInputs});
  torch::optim::SGD optimizer(net.parameters(), settings.fault == "exploding" ? 1e6 : 0.05);
  hook->SetMode(tensorwarden::Mode::kTrain);
  double last = 0;
  for (int i = 0; i < settings.steps; ++i) {
    hook->BeginStep();
    recorder.SaveParameters();
    optimizer.zero_grad();
    const torch::Tensor output = net.Forward(points, &recorder);
    const torch::Tensor loss = recorder.SaveOutput(
        "CrossEntropyLoss", torch::nn::functional::cross_entropy(output, labels));
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
  }
  std::printf("trained %d steps, loss %.4f\n", settings.steps, last);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--out") {
      settings.out = value;
    } else if (flag == "--fault") {
      settings.fault = value;
    } else if (flag == "--steps") {
      settings.steps = std::atoi(value.c_str());
    } else {
      std::fprintf(stderr, "usage: train_torch [--out RUN] [--steps N] [--fault NAME]\n");
      return 2;
    }
  }
  tensorwarden::Hook hook = MakeHook(settings);
  if (!hook.status().ok()) {
    // Recording never stops a training.
    std::fprintf(stderr, "run not recorded: %s\n", hook.status().message().c_str());
  }
  Train(settings, &hook);
  return 0;  // The hook closes itself.
}
