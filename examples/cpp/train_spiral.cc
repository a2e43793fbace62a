// Trains a small handwritten network to separate two spirals and records the run: weights, biases,
// gradients and ReLU outputs as the collections require, and the loss at every step.
//   warden run -- train_spiral [--steps N] [--fault vanishing|exploding|stuck|dead_relu]
//   train_spiral --out RUN ...
#include <warden/hook.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "network.h"

namespace {

using example::Activation;
using example::Network;

constexpr int kPoints = 200;
constexpr float kPi = 3.14159265F;

struct Settings {
  std::string out;  // Empty: as the environment says.
  std::string fault;
  int steps = 500;
};

void MakeSpirals(std::mt19937* random, std::vector<float>* points, std::vector<float>* labels) {
  std::normal_distribution<float> noise(0.0F, 0.05F);
  for (int i = 0; i < kPoints; ++i) {
    const float label = static_cast<float>(i % 2);
    const float along = static_cast<float>(i) / kPoints;
    const float angle = 2 * along * kPi + label * kPi;
    points->push_back(2 * along * std::cos(angle) + noise(*random));
    points->push_back(2 * along * std::sin(angle) + noise(*random));
    labels->push_back(label);
  }
}

Network MakeNetwork(const std::string& fault, std::mt19937* random) {
  if (fault == "vanishing") {
    return Network({16, 16, 16, 16, 16, 16, 16, 16, 1}, Activation::kSigmoid, 0.3F, random);
  }
  Network network({32, 32, 1}, Activation::kRelu, 1.4F, random);
  if (fault == "dead_relu") {
    for (float& bias : network.parameters()[1].value) bias = -100;  // Whatever the input is.
  }
  return network;
}

float RateFor(const std::string& fault) {
  if (fault == "exploding") return 1e20F;
  return fault == "stuck" ? 1e-7F : 0.3F;
}

tensorwarden::Hook MakeHook(const Settings& settings) {
  if (settings.out.empty()) return tensorwarden::Hook::FromEnvironment();
  tensorwarden::Options options;
  options.OutDir(settings.out).Set("save_interval", "10").SetFor("losses", "save_interval", "1");
  for (const char* name : {"weights", "biases", "gradients", "relu_output"}) options.Include(name);
  return tensorwarden::Hook(options);
}

// Rules find ReLU layers by their role, independent of their names.
void NameRoles(const Network& network, tensorwarden::Hook* hook) {
  if (network.activation() != Activation::kRelu) return;
  for (size_t i = 0; i < network.hidden_layers(); ++i) {
    hook->AddRole("relu_output", "relu" + std::to_string(i + 1) + "_output_0");
  }
}

void SaveStep(Network* network, float loss, tensorwarden::Hook* hook) {
  for (const Network::Parameter& p : network->parameters()) {
    hook->Save(p.name, p.value.data(), p.shape);
    hook->Save("gradient/" + p.name, p.gradient.data(), p.shape);
  }
  const std::string kind = network->activation() == Activation::kRelu ? "relu" : "sigmoid";
  for (size_t i = 0; i < network->hidden_layers(); ++i) {
    const std::vector<float>& output = network->output(i);
    const auto units = static_cast<int64_t>(output.size()) / kPoints;
    hook->Save(kind + std::to_string(i + 1) + "_output_0", output.data(), {kPoints, units});
  }
  hook->Save("Loss_output_0", &loss, {});
}

void Train(const Settings& settings, tensorwarden::Hook* hook) {
  std::mt19937 random(1);
  std::vector<float> points, labels;
  {
    const auto loading = hook->StartSpan("DataLoading", "MakeSpirals");
    MakeSpirals(&random, &points, &labels);
  }
  Network network = MakeNetwork(settings.fault, &random);
  NameRoles(network, hook);
  hook->SetMode(tensorwarden::Mode::kTrain);
  const float rate = RateFor(settings.fault);
  float loss = 0;
  for (int i = 0; i < settings.steps; ++i) {
    hook->BeginStep();
    loss = network.Learn(points, labels);
    SaveStep(&network, loss, hook);
    network.Step(rate);
  }
  hook->SaveScalar("points", kPoints);
  std::printf("trained %d steps, loss %.4f\n", settings.steps, loss);
}

bool ReadArguments(int argc, char** argv, Settings* settings) {
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    if (i + 1 == argc) return false;
    const std::string value = argv[i + 1];
    if (flag == "--out")
      settings->out = value;
    else if (flag == "--fault")
      settings->fault = value;
    else if (flag == "--steps")
      settings->steps = std::atoi(value.c_str());
    else
      return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!ReadArguments(argc, argv, &settings)) {
    std::fprintf(stderr, "usage: train_spiral [--out RUN] [--steps N] [--fault NAME]\n");
    return 2;
  }
  tensorwarden::Hook hook = MakeHook(settings);
  if (!hook.status().ok()) {
    // Recording never stops a training.
    std::fprintf(stderr, "run not recorded: %s\n", hook.status().message().c_str());
  }
  Train(settings, &hook);
  if (!hook.is_active()) return 0;
  const tensorwarden::Status closed = hook.Close();
  if (!closed.ok()) std::fprintf(stderr, "run is incomplete: %s\n", closed.message().c_str());
  return 0;
}
