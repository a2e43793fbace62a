#ifndef EXAMPLES_XGBOOST_CPP_BOOSTER_RECORDER_H_
#define EXAMPLES_XGBOOST_CPP_BOOSTER_RECORDER_H_

#include <warden/hook.h>
#include <xgboost/c_api.h>

#include <string>
#include <vector>

namespace example {

// Saves the metrics and tensors of a booster after each round under the names of the XGBoost hook:
// "train-logloss", "predictions", "labels", "feature_importance/gain/<feature>". Saves only what a
// collection includes. Create the hook with the framework "xgboost". Copy this file into your
// program.
class BoosterRecorder {
 public:
  // A matrix to evaluate the booster on, and the prefix of its metrics.
  struct Watched {
    std::string name;
    DMatrixHandle matrix;
  };
  // The first matrix provides predictions and labels. hook must outlive this object.
  BoosterRecorder(std::vector<Watched> watched, tensorwarden::Hook* hook)
      : watched_(std::move(watched)), hook_(hook) {}

  // Call it after XGBoosterUpdateOneIter of that round. Returns XGBoost's line of metrics, or an
  // empty string if the evaluation fails.
  std::string SaveRound(BoosterHandle booster, int round);

 private:
  std::string Evaluate(BoosterHandle booster, int round);
  void SaveMetrics(const std::string& line);
  void SaveLabelsAndPredictions(BoosterHandle booster);
  void SaveImportance(BoosterHandle booster, const std::string& kind);

  const std::vector<Watched> watched_;
  tensorwarden::Hook* const hook_;
};

}  // namespace example

#endif  // EXAMPLES_XGBOOST_CPP_BOOSTER_RECORDER_H_
