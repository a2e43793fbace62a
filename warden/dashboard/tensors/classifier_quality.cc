#include "warden/dashboard/tensors/classifier_quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "warden/rules/class_ids.h"
#include "warden/rules/confusion_counts.h"
#include "warden/view/values/numbers.h"
#include "warden/view/values/slice.h"

namespace warden::dashboard {
namespace {

using rules::kNoClass;

constexpr double kSumTolerance = 0.01;                 // Of probabilities in half precision.
constexpr size_t kMostRankedScores = size_t{1} << 26;  // Of all curves; they must be sorted.
constexpr size_t kCalibrationBins = 10;

// Predictions row by row, as scores of which the largest wins.
class ScoreTable {
 public:
  ScoreTable(view::Numbers numbers, size_t rows, size_t width)
      : numbers_(numbers), rows_(rows), width_(width) {
    kind_ = Recognize();
    if (kind_ != ScoreKind::kLogits || width_ == 1) return;
    normalizers_.resize(rows_);
    for (size_t row = 0; row < rows_; ++row) normalizers_[row] = LogSumExp(row);
  }

  ScoreKind kind() const { return kind_; }
  size_t rows() const { return rows_; }
  size_t width() const { return width_; }

  // A probability where they are known, else what was saved. REQUIRES: Best(row) != kNoClass.
  double At(size_t row, size_t column) const {
    const double raw = Raw(row, column);
    if (kind_ != ScoreKind::kLogits) return raw;
    return width_ == 1 ? 1 / (1 + std::exp(-raw)) : std::exp(raw - normalizers_[row]);
  }

  // The predicted class; kNoClass if the row is not finite. -inf is a logit like any other.
  int64_t Best(size_t row) const {
    if (width_ == 1) {
      const double score = Raw(row, 0);
      if (!std::isfinite(score)) return kNoClass;
      if (kind_ == ScoreKind::kClasses) return static_cast<int64_t>(score);
      return At(row, 0) > 0.5 ? 1 : 0;
    }
    size_t best = 0;
    for (size_t i = 0; i < width_; ++i) {
      const double score = Raw(row, i);
      if (std::isnan(score) || (std::isinf(score) && score > 0)) return kNoClass;
      if (score > Raw(row, best)) best = i;
    }
    return std::isfinite(Raw(row, best)) ? static_cast<int64_t>(best) : kNoClass;
  }

 private:
  double Raw(size_t row, size_t column) const { return numbers_.At(row * width_ + column); }

  ScoreKind Recognize() const {
    bool whole = width_ == 1, unit = true, ones = true;
    for (size_t row = 0; row < rows_; ++row) {
      double sum = 0;
      for (size_t i = 0; i < width_; ++i) {
        const double score = Raw(row, i);
        sum += score;
        if (std::isnan(score)) continue;
        unit = unit && score >= 0 && score <= 1;
        whole = whole && score == std::floor(score) && std::abs(score) < 0x1p53;
      }
      ones = ones && (std::isnan(sum) || std::abs(sum - 1) <= kSumTolerance);
      if (!unit && !whole) return ScoreKind::kLogits;
    }
    if (whole) return ScoreKind::kClasses;
    return width_ == 1 || ones ? ScoreKind::kProbabilities : ScoreKind::kScores;
  }

  double LogSumExp(size_t row) const {
    double largest = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < width_; ++i) largest = std::max(largest, Raw(row, i));
    double sum = 0;
    for (size_t i = 0; i < width_; ++i) sum += std::exp(Raw(row, i) - largest);
    return largest + std::log(sum);
  }

  view::Numbers numbers_;
  size_t rows_;
  size_t width_;
  ScoreKind kind_ = ScoreKind::kClasses;
  std::vector<double> normalizers_;  // Of softmax, one for each row.
};

Status CheckOneHot(const trial::TensorValue& labels) {
  const auto numbers = view::Numbers::Of(labels);
  if (!numbers.ok()) return numbers.status();
  const auto width = static_cast<size_t>(labels.shape.back());
  for (size_t row = 0; row < numbers.value().count(); row += width) {
    size_t ones = 0, zeros = 0;
    for (size_t i = row; i < row + width; ++i) {
      ones += numbers.value().At(i) == 1 ? 1 : 0;
      zeros += numbers.value().At(i) == 0 ? 1 : 0;
    }
    if (ones == 1 && zeros == width - 1) continue;
    return Status(Code::kInvalid, fmt::format("labels have the shape of predictions, {}; expected "
                                              "one class per sample: a 1 and else zeros in a row",
                                              view::ShapeText(labels.shape)));
  }
  return Status();
}

// Both as class ids. What cannot be compared is kNoClass in both.
struct Outcomes {
  std::vector<int64_t> labels, predictions;
  int64_t left_out = 0;
};

Outcomes Compare(std::vector<int64_t> labels, const ScoreTable& scores) {
  Outcomes outcomes{std::move(labels), {}, 0};
  const bool any = scores.kind() == ScoreKind::kClasses;
  const int64_t classes = scores.width() == 1 ? 2 : static_cast<int64_t>(scores.width());
  for (size_t row = 0; row < scores.rows(); ++row) {
    int64_t& label = outcomes.labels[row];
    int64_t best = scores.Best(row);
    if (!any && (label < 0 || label >= classes)) label = kNoClass;
    if (label == kNoClass || best == kNoClass) {
      label = best = kNoClass;
      ++outcomes.left_out;
    }
    outcomes.predictions.push_back(best);
  }
  return outcomes;
}

void AddMatrix(const Outcomes& outcomes, ClassifierQuality* quality) {
  const rules::ConfusionCounts counts(outcomes.labels, outcomes.predictions);
  std::map<int64_t, int64_t> seen;
  int64_t right = 0;
  for (const auto& cell : counts.cells()) {
    seen[cell.label] += cell.count;
    seen[cell.prediction] += cell.count;
    if (cell.label == cell.prediction) right += cell.count;
  }
  quality->samples = counts.total();
  quality->accuracy = static_cast<double>(right) / static_cast<double>(counts.total());
  quality->all_classes = std::ssize(seen);
  std::vector<std::pair<int64_t, int64_t>> order;  // Frequent ones first.
  for (const auto& [id, count] : seen) order.emplace_back(-count, id);
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), ClassifierQuality::kMostClasses));
  std::map<int64_t, size_t> places;
  for (const auto& [count, id] : order) places[id] = 0;
  for (auto& [id, place] : places) {
    place = quality->classes.size();
    quality->classes.push_back(
        {id, counts.Labelled(id), counts.Predicted(id), counts.OnDiagonal(id)});
  }
  quality->matrix.assign(places.size() * places.size(), 0);
  for (const auto& cell : counts.cells()) {
    const auto row = places.find(cell.label), column = places.find(cell.prediction);
    if (row == places.end() || column == places.end()) continue;
    quality->matrix[row->second * places.size() + column->second] = cell.count;
  }
}

stats::RankingCurve CurveOf(const ScoreTable& scores, const Outcomes& outcomes, int64_t id) {
  std::vector<double> positives, negatives;
  const size_t column = scores.width() == 1 ? 0 : static_cast<size_t>(id);
  for (size_t row = 0; row < scores.rows(); ++row) {
    if (outcomes.labels[row] == kNoClass) continue;
    (outcomes.labels[row] == id ? positives : negatives).push_back(scores.At(row, column));
  }
  return stats::RankScores(std::move(positives), std::move(negatives),
                           stats::RankingDetail::kRatesPrecision);
}

void AddCurves(const ScoreTable& scores, const Outcomes& outcomes, ClassifierQuality* quality) {
  if (scores.kind() == ScoreKind::kClasses) {
    quality->why_no_curves = "predictions are class ids; curves need probabilities or logits";
    return;
  }
  std::vector<int64_t> ids = {1};
  if (scores.width() > 1) {
    ids.clear();
    for (const ClassTallyRow& row : quality->classes) ids.push_back(row.id);
  }
  if (scores.rows() * ids.size() > kMostRankedScores) {
    quality->why_no_curves = fmt::format("{} samples of {} classes are too many to rank",
                                         scores.rows(), quality->all_classes);
    return;
  }
  for (const int64_t id : ids) quality->curves.push_back({id, CurveOf(scores, outcomes, id)});
}

void AddCalibration(const ScoreTable& scores, const Outcomes& outcomes,
                    ClassifierQuality* quality) {
  if (scores.kind() != ScoreKind::kProbabilities && scores.kind() != ScoreKind::kLogits) return;
  quality->calibration.resize(kCalibrationBins);
  for (size_t row = 0; row < scores.rows(); ++row) {
    const int64_t label = outcomes.labels[row];
    if (label == kNoClass) continue;
    const int64_t best = outcomes.predictions[row];
    const bool single = scores.width() == 1;
    const double confidence = scores.At(row, single ? 0 : static_cast<size_t>(best));
    const auto bin = static_cast<size_t>(confidence * kCalibrationBins);
    CalibrationBin& into = quality->calibration[std::min(bin, kCalibrationBins - 1)];
    ++into.count;
    into.confidence += confidence;
    into.right += label == (single ? 1 : best) ? 1 : 0;
  }
  for (CalibrationBin& bin : quality->calibration) {
    if (bin.count == 0) continue;
    quality->calibration_error +=
        std::abs(bin.confidence - bin.right) / static_cast<double>(quality->samples);
    bin.confidence /= static_cast<double>(bin.count);
    bin.right /= static_cast<double>(bin.count);
  }
}

}  // namespace

std::string_view ScoreKindName(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::kClasses: return "classes";
    case ScoreKind::kProbabilities: return "probabilities";
    case ScoreKind::kScores: return "scores";
    case ScoreKind::kLogits: break;
  }
  return "logits";
}

Result<ClassifierQuality> EvaluateClassifier(const trial::TensorValue& labels,
                                             const trial::TensorValue& predictions) {
  const std::vector<int64_t>& shape = predictions.shape;
  const bool one_hot = shape.size() > 1 && shape.back() > 1 && labels.shape == shape;
  if (IsComplex(predictions.dtype)) {
    return Status(Code::kInvalidType, "predictions are complex numbers; expected real ones");
  }
  const auto numbers = view::Numbers::Of(predictions);
  if (!numbers.ok()) return numbers.status();
  rules::ClassIds ids = rules::LabelIds(&labels, one_hot);
  if (!ids.why.empty()) return Status(Code::kInvalid, std::string(ids.why));
  if (one_hot) {
    if (Status status = CheckOneHot(labels); !status.ok()) return status;
  }
  const size_t rows = ids.ids.size(), count = numbers.value().count();
  const size_t width = shape.size() > 1 && shape.back() > 1 ? static_cast<size_t>(shape.back()) : 1;
  // A class id for each label may have any shape; scores have their classes along the last axis.
  const size_t used = count == rows ? 1 : width;
  if (rows == 0 || rows * used != count) {
    return Status(Code::kInvalid,
                  fmt::format("labels have the shape {} and predictions {}; expected a prediction "
                              "or a row of scores for each label",
                              view::ShapeText(labels.shape), view::ShapeText(shape)));
  }
  const ScoreTable scores(numbers.value(), rows, used);
  const int64_t largest = *std::max_element(ids.ids.begin(), ids.ids.end());
  if (used == 1 && scores.kind() != ScoreKind::kClasses && largest > 1) {
    return Status(Code::kInvalid,
                  fmt::format("predictions have one score per label, and labels the class {}; "
                              "expected a row of scores for each label, or labels 0 and 1",
                              largest));
  }
  const Outcomes outcomes = Compare(std::move(ids.ids), scores);
  ClassifierQuality quality{.kind = scores.kind(), .left_out = outcomes.left_out};
  if (outcomes.left_out == static_cast<int64_t>(rows)) {
    return Status(Code::kInvalid,
                  "no label can be compared: expected class ids from 0 and finite predictions");
  }
  AddMatrix(outcomes, &quality);
  AddCurves(scores, outcomes, &quality);
  AddCalibration(scores, outcomes, &quality);
  return quality;
}

}  // namespace warden::dashboard
