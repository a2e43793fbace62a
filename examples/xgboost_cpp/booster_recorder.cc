#include "booster_recorder.h"

#include <cstdlib>
#include <sstream>

namespace example {

std::string BoosterRecorder::SaveRound(BoosterHandle booster, int round) {
  hook_->BeginStepAt(round);
  const std::string line = Evaluate(booster, round);
  SaveMetrics(line);
  SaveLabelsAndPredictions(booster);
  for (const char* kind : {"weight", "gain", "cover", "total_gain", "total_cover"}) {
    SaveImportance(booster, kind);
  }
  hook_->EndStep();
  return line;
}

std::string BoosterRecorder::Evaluate(BoosterHandle booster, int round) {
  std::vector<DMatrixHandle> matrices;
  std::vector<const char*> names;
  for (const Watched& watched : watched_) {
    matrices.push_back(watched.matrix);
    names.push_back(watched.name.c_str());
  }
  const char* line = nullptr;
  const int failed =
      XGBoosterEvalOneIter(booster, round, matrices.data(), names.data(), names.size(), &line);
  return failed != 0 || line == nullptr ? "" : line;
}

// "[3]\ttrain-logloss:0.4210\tvalidation-logloss:0.4377"
void BoosterRecorder::SaveMetrics(const std::string& line) {
  std::istringstream fields(line);
  for (std::string field; std::getline(fields, field, '\t');) {
    const size_t colon = field.rfind(':');
    if (colon == std::string::npos) continue;
    const double value = std::strtod(field.c_str() + colon + 1, nullptr);
    hook_->Save(field.substr(0, colon), &value, {1});
  }
}

void BoosterRecorder::SaveLabelsAndPredictions(BoosterHandle booster) {
  if (watched_.empty()) return;
  DMatrixHandle matrix = watched_.front().matrix;
  bst_ulong count = 0;
  const float* values = nullptr;
  if (hook_->Wants("labels") && XGDMatrixGetFloatInfo(matrix, "label", &count, &values) == 0) {
    hook_->Save("labels", values, {static_cast<int64_t>(count)});
  }
  if (!hook_->Wants("predictions")) return;
  constexpr char kPlainPrediction[] =
      R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0,
          "strict_shape": false})";
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  if (XGBoosterPredictFromDMatrix(booster, matrix, kPlainPrediction, &shape, &dimensions,
                                  &values) != 0) {
    return;
  }
  const std::vector<int64_t> sizes(shape, shape + dimensions);
  hook_->Save("predictions", values, sizes);
}

// Shares of the total importance, so features of different models can be compared.
void BoosterRecorder::SaveImportance(BoosterHandle booster, const std::string& kind) {
  const std::string prefix = "feature_importance/" + kind + "/";
  const std::string config = R"({"importance_type": ")" + kind + R"("})";
  bst_ulong features = 0;
  bst_ulong dimensions = 0;
  const char** names = nullptr;
  const bst_ulong* shape = nullptr;
  const float* scores = nullptr;
  if (XGBoosterFeatureScore(booster, config.c_str(), &features, &names, &dimensions, &shape,
                            &scores) != 0 ||
      dimensions != 1) {
    return;
  }
  double sum = 0;
  for (bst_ulong i = 0; i < features; ++i) sum += scores[i];
  for (bst_ulong i = 0; i < features && sum > 0; ++i) {
    const double share = scores[i] / sum;
    hook_->Save(prefix + names[i], &share, {1});
  }
}

}  // namespace example
