#ifndef WARDEN_DASHBOARD_TENSORS_CLASSIFIER_QUALITY_H_
#define WARDEN_DASHBOARD_TENSORS_CLASSIFIER_QUALITY_H_

// How good a classifier is at one step, from saved labels and predictions: confusion matrix, ROC
// and precision-recall curves, calibration. Labels are read as by the rule Confusion. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/stats/ranking_curve.h"
#include "warden/trial/tensor_value.h"

namespace warden::dashboard {

// What predictions are, as far as their values tell.
enum class ScoreKind : uint8_t {
  kClasses,        // Whole numbers, one for each label.
  kProbabilities,  // 0 to 1; the rows add up to 1.
  kScores,         // 0 to 1; the rows do not: of several sigmoids, say.
  kLogits,  // Any others. They are made probabilities with softmax; single ones with sigmoid.
};
std::string_view ScoreKindName(ScoreKind kind);  // "probabilities".

// One class and how it fared.
struct ClassTallyRow {
  int64_t id = 0;
  int64_t labeled = 0, predicted = 0, right = 0;
};

// Samples whose confidence is in one of ten bins.
struct CalibrationBin {
  int64_t count = 0;
  double confidence = 0;  // Mean over the samples; 0 of an empty bin, as the next.
  double right = 0;       // Share of the samples.
};

struct ClassifierQuality {
  // More classes are left out of everything but `accuracy`; the most frequent ones stay.
  static constexpr size_t kMostClasses = 100;

  ScoreKind kind = ScoreKind::kClasses;
  int64_t samples = 0;
  // Not counted in samples: label or prediction is not finite, or the label is not one of the
  // classes that predictions have, such as -100 for padding.
  int64_t left_out = 0;
  int64_t all_classes = 0;  // That occur.
  double accuracy = 0;
  std::vector<ClassTallyRow> classes = {};  // By id, at most kMostClasses.
  std::vector<int64_t> matrix = {};         // A row for each label, a column for each prediction.

  struct Curve {
    int64_t id = 0;  // Against all others.
    stats::RankingCurve curve = {};
  };
  // Of each of `classes`; of single scores that of class 1 alone.
  std::vector<Curve> curves = {};
  std::string why_no_curves = {};

  // By confidence; empty where predictions are not probabilities. The confidence of a row is its
  // largest probability, and it is right if the label is that class. Of single scores it is the
  // probability of class 1.
  std::vector<CalibrationBin> calibration = {};
  double calibration_error = 0;  // Mean distance of both over all samples (ECE).
};

// labels: whole numbers, or one-hot rows of the shape of predictions. predictions: one for each
// label, or one row of scores for each label along the last axis. kInvalid says what does not fit;
// kInvalidType for strings and complex numbers. Reads predictions a few times, without a copy.
Result<ClassifierQuality> EvaluateClassifier(const trial::TensorValue& labels,
                                             const trial::TensorValue& predictions);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_CLASSIFIER_QUALITY_H_
