#ifndef WARDEN_RULES_BASELINE_RUNS_FOR_TEST_H_
#define WARDEN_RULES_BASELINE_RUNS_FOR_TEST_H_

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "warden/rules/rules_for_test.h"
#include "warden/storage/store.h"

// For the tests of baselines.
namespace warden::rules {

// A training that is always the same but for its seed and what a test makes wrong.
struct TestTraining {
  int seed = 0;
  Step steps = 120;
  double gradients = 1;  // Times the usual size.
  double weights = 1;
  double loss = 1;
  Step since = 0;  // Step at which the three begin.
};

// Noise between -1 and 1 that a seed and a number determine.
inline double TestNoise(int seed, int number) {
  return std::sin(12.9898 * (seed + 1) + 78.233 * number);
}

// What such a training saves at a step.
inline std::map<std::string, TestTensor> TrainingTensors(const TestTraining& training, Step step) {
  const auto noise = [&](int what) {
    return 1 + 0.2 * TestNoise(training.seed, static_cast<int>(7 * step) + what);
  };
  const bool wrong = step >= training.since;
  const double progress = 1 / (1 + 0.05 * static_cast<double>(step));
  const auto tensor = [&](double size, double factor, int what) {
    const auto value = static_cast<float>(size * (wrong ? factor : 1) * noise(what));
    return FloatTensor({4}, {value, -value, value / 2, -value / 3});
  };
  return {{kLoss, FloatTensor({1}, {static_cast<float>(2.3 * progress * noise(0) *
                                                       (wrong ? training.loss : 1))})},
          {"Net_a.weight", tensor(0.5, training.weights, 1)},
          {"Net_b.weight", tensor(0.1, training.weights, 2)},
          {"gradient/Net_a.weight", tensor(0.02 * progress, training.gradients, 3)},
          {"gradient/Net_b.weight", tensor(0.3 * progress, training.gradients, 4)}};
}

// Writes the run of such a training to a folder.
inline void WriteTrainingRun(const std::string& folder, const TestTraining& training) {
  auto store = storage::OpenStore(folder);
  ASSERT_TRUE(store.ok()) << store.status().message();
  trial::RunBuilder builder(store.value().get());
  builder.Manifests(1);
  for (Step step = 0; step < training.steps; ++step) {
    builder.Tensors(step, 0, TrainingTensors(training, step), {.mode = Mode::kTrain});
  }
  builder.End();
}

}  // namespace warden::rules

#endif  // WARDEN_RULES_BASELINE_RUNS_FOR_TEST_H_
