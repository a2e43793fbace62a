// Trains a booster through XGBoost's C API and records it like the XGBoost hook.
//   warden run -- train_xgboost [--rounds N] [--fault leak]
//   train_xgboost --out RUN ...
// With the fault, one of the features is the label, and the booster uses only that feature.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "booster_recorder.h"

namespace {

constexpr int kRows = 400;
constexpr int kFeatures = 6;
const char* feature_names[kFeatures] = {"age", "height", "weight", "income", "distance", "score"};

struct Settings {
  std::string out;  // Empty: as the environment says.
  bool leak = false;
  int rounds = 20;
};

// Exits if a call of XGBoost fails.
void Check(int failed) {
  if (failed == 0) return;
  std::fprintf(stderr, "train_xgboost: %s\n", XGBGetLastError());
  std::exit(1);
}

DMatrixHandle MakeMatrix(unsigned seed, bool leak) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0F, 1.0F);
  std::vector<float> values, labels;
  for (int row = 0; row < kRows; ++row) {
    float sum = 0.5F * normal(random);
    for (int i = 0; i < kFeatures; ++i) {
      values.push_back(normal(random));
      sum += values.back();
    }
    labels.push_back(sum > 0 ? 1.0F : 0.0F);
    if (leak) values.back() = labels.back();
  }
  DMatrixHandle matrix = nullptr;
  Check(XGDMatrixCreateFromMat(values.data(), kRows, kFeatures, -999.0F, &matrix));
  Check(XGDMatrixSetFloatInfo(matrix, "label", labels.data(), kRows));
  return matrix;
}

tensorwarden::Hook MakeHook(const Settings& settings) {
  tensorwarden::Options options;
  options.Framework("xgboost");
  if (settings.out.empty()) return tensorwarden::Hook::FromEnvironment(options);
  options.OutDir(settings.out).Set("save_interval", "5");
  for (const char* name : {"metrics", "feature_importance", "predictions", "labels"}) {
    options.Include(name);
  }
  return tensorwarden::Hook(options);
}

void Train(const Settings& settings, tensorwarden::Hook* hook) {
  DMatrixHandle train = MakeMatrix(1, settings.leak);
  DMatrixHandle validation = MakeMatrix(2, settings.leak);
  BoosterHandle booster = nullptr;
  Check(XGBoosterCreate(&train, 1, &booster));
  // Without them, features are f0, f1, ...
  Check(XGBoosterSetStrFeatureInfo(booster, "feature_name", feature_names, kFeatures));
  const std::pair<const char*, const char*> parameters[] = {
      {"objective", "binary:logistic"}, {"max_depth", "5"}, {"eta", "0.3"}, {"nthread", "1"}};
  for (const auto& [name, value] : parameters) Check(XGBoosterSetParam(booster, name, value));
  example::BoosterRecorder recorder({{"validation", validation}, {"train", train}}, hook);
  hook->SetMode(tensorwarden::Mode::kTrain);
  std::string metrics;
  for (int round = 0; round < settings.rounds; ++round) {
    Check(XGBoosterUpdateOneIter(booster, round, train));
    metrics = recorder.SaveRound(booster, round);
  }
  std::printf("%s\n", metrics.c_str());
  Check(XGBoosterFree(booster));
  Check(XGDMatrixFree(train));
  Check(XGDMatrixFree(validation));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--out") {
      settings.out = value;
    } else if (flag == "--fault" && value == "leak") {
      settings.leak = true;
    } else if (flag == "--rounds") {
      settings.rounds = std::atoi(value.c_str());
    } else {
      std::fprintf(stderr, "usage: train_xgboost [--out RUN] [--rounds N] [--fault leak]\n");
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
