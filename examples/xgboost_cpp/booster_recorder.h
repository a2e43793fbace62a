#ifndef EXAMPLES_XGBOOST_CPP_BOOSTER_RECORDER_H_
#define EXAMPLES_XGBOOST_CPP_BOOSTER_RECORDER_H_

#include <warden/hook.h>
#include <xgboost/c_api.h>

#include <string>
#include <vector>

namespace example {

// Saves what a booster has after each round, by the names that the hook for XGBoost gives:
// "train-logloss", "predictions", "labels", "feature_importance/gain/<feature>". All of it only
// where a collection asks for it. The hook is to be made with the framework "xgboost". To be copied
// into programs.
class BoosterRecorder {
 public:
  // A matrix to evaluate the booster on, and what its metrics are called.
  struct Watched {
    std::string name;
    DMatrixHandle matrix;
  };
  // The first of these gives predictions and labels. hook outlives this.
  BoosterRecorder(std::vector<Watched> watched, tensorwarden::Hook* hook)
      : watched_(std::move(watched)), hook_(hook) {}

  // To be called after XGBoosterUpdateOneIter of that round. Returns what XGBoost says of the
  // metrics; empty if it cannot say.
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
