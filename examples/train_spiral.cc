// Trains a small network to tell two spirals apart and records the run with the C++ hook: weights,
// biases and gradients as the collections ask, the loss at every step.
//   train_spiral RUN [STEPS]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "warden/capture/hook.h"

namespace {

using warden::DType;
using warden::Mode;
using warden::capture::Hook;
using warden::capture::HookOptions;

constexpr int kHidden = 32;
constexpr int kPoints = 200;
constexpr float kPi = 3.14159265F;

struct Parameter {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<float> value, gradient;
};

// x -> tanh(W1 x + b1) -> W2 h + b2, with the logistic loss.
class Network {
 public:
  explicit Network(std::mt19937* random) {
    Add("fc1.weight", {kHidden, 2}, 1.0F, random);
    Add("fc1.bias", {kHidden}, 0.5F, random);
    Add("fc2.weight", {1, kHidden}, 0.3F, random);
    Add("fc2.bias", {1}, 0.0F, random);
  }

  // The mean loss over all points; fills the gradients.
  float Learn(const std::vector<float>& points, const std::vector<float>& labels) {
    for (Parameter& p : parameters_) std::fill(p.gradient.begin(), p.gradient.end(), 0.0F);
    float loss = 0;
    for (size_t i = 0; i < labels.size(); ++i) loss += LearnOne(&points[2 * i], labels[i]);
    for (Parameter& p : parameters_) {
      for (float& g : p.gradient) g /= static_cast<float>(labels.size());
    }
    return loss / static_cast<float>(labels.size());
  }

  void Step(float rate) {
    for (Parameter& p : parameters_) {
      for (size_t i = 0; i < p.value.size(); ++i) p.value[i] -= rate * p.gradient[i];
    }
  }

  std::vector<Parameter>& parameters() { return parameters_; }

 private:
  void Add(std::string name, std::vector<int64_t> shape, float scale, std::mt19937* random) {
    size_t count = 1;
    for (const int64_t size : shape) count *= static_cast<size_t>(size);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> value(count);
    for (float& v : value) v = scale * normal(*random);
    parameters_.push_back({std::move(name), std::move(shape), value, std::vector<float>(count)});
  }

  float LearnOne(const float* point, float label) {
    Parameter &w1 = parameters_[0], &b1 = parameters_[1], &w2 = parameters_[2],
              &b2 = parameters_[3];
    float hidden[kHidden];
    float output = b2.value[0];
    for (int h = 0; h < kHidden; ++h) {
      hidden[h] =
          std::tanh(w1.value[2 * h] * point[0] + w1.value[2 * h + 1] * point[1] + b1.value[h]);
      output += w2.value[h] * hidden[h];
    }
    const float probability = 1 / (1 + std::exp(-output));
    const float error = probability - label;
    b2.gradient[0] += error;
    for (int h = 0; h < kHidden; ++h) {
      w2.gradient[h] += error * hidden[h];
      const float back = error * w2.value[h] * (1 - hidden[h] * hidden[h]);
      w1.gradient[2 * h] += back * point[0];
      w1.gradient[2 * h + 1] += back * point[1];
      b1.gradient[h] += back;
    }
    return -std::log((label > 0.5F ? probability : 1 - probability) + 1e-7F);
  }

  std::vector<Parameter> parameters_;
};

void MakeSpirals(std::mt19937* random, std::vector<float>* points, std::vector<float>* labels) {
  std::normal_distribution<float> noise(0.0F, 0.05F);
  for (int i = 0; i < kPoints; ++i) {
    const float label = static_cast<float>(i % 2);
    const float along = static_cast<float>(i) / kPoints;
    const float angle = 3 * along * kPi + label * kPi;
    points->push_back(2 * along * std::cos(angle) + noise(*random));
    points->push_back(2 * along * std::sin(angle) + noise(*random));
    labels->push_back(label);
  }
}

HookOptions Options(const std::string& run) {
  HookOptions options;
  options.config.out_dir = run;
  options.config.include_collections = {"weights", "biases", "gradients"};
  for (const Mode mode : warden::kAllModes) {
    options.config.save_config.mode(mode).save_interval = 100;
  }
  return options;
}

void SaveStep(Hook* hook, Network* network, float loss) {
  for (const Parameter& p : network->parameters()) {
    hook->Save(p.name, {p.value.data(), DType::kFloat32, p.shape});
    hook->Save("gradient/" + p.name, {p.gradient.data(), DType::kFloat32, p.shape});
  }
  hook->Save("Loss_output_0", {&loss, DType::kFloat32, {}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: train_spiral RUN [STEPS]\n");
    return 2;
  }
  const int steps = argc > 2 ? std::atoi(argv[2]) : 500;
  auto hook = Hook::Create(Options(argv[1]));
  if (!hook.ok()) {
    std::fprintf(stderr, "train_spiral: %s\n", hook.status().message().c_str());
    return 1;
  }
  std::mt19937 random(1);
  std::vector<float> points, labels;
  MakeSpirals(&random, &points, &labels);
  Network network(&random);
  hook.value()->SetMode(Mode::kTrain);
  float loss = 0;
  for (int i = 0; i < steps; ++i) {
    hook.value()->BeginStep();
    loss = network.Learn(points, labels);
    SaveStep(hook.value().get(), &network, loss);
    network.Step(0.5F);
  }
  const warden::Status closed = hook.value()->Close();
  if (!closed.ok()) std::fprintf(stderr, "train_spiral: %s\n", closed.message().c_str());
  std::printf("trained %d steps, loss %.4f; recorded in %s\n", steps, loss, argv[1]);
  return closed.ok() ? 0 : 1;
}
