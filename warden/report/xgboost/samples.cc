#include "warden/report/xgboost/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/stats/element.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kPiece = 16384;  // Numbers, about.

}  // namespace

bool HasRealNumbers(const trial::TensorValue& value) {
  return stats::VisitReal(value.dtype, []<class T>() {}).ok();
}

void ReadNumbers(const trial::TensorValue& value, size_t begin, size_t n, double* out) {
  (void)stats::VisitReal(value.dtype,
                         [&]<class T>() { stats::Widen<T>(value.data.data(), begin, n, out); });
}

Result<Samples> Samples::Make(trial::TensorValue labels, trial::TensorValue predictions,
                              size_t classes) {
  if (!HasRealNumbers(labels)) return Status(Code::kInvalid, "the labels are not real numbers");
  if (!HasRealNumbers(predictions)) {
    return Status(Code::kInvalid, "the predictions are not real numbers");
  }
  Samples samples;
  samples.rows_ = labels.ref().count();
  const size_t predicted = predictions.ref().count();
  if (samples.rows_ == 0 || predicted == 0) {
    return Status(Code::kInvalid, "labels or predictions are empty");
  }
  const bool for_all_classes = classes > 1 && predicted == samples.rows_ * classes;
  const bool in_rows =
      predictions.shape.size() == 2 && static_cast<size_t>(predictions.shape[0]) == samples.rows_;
  if (predicted == samples.rows_) {
    samples.width_ = 1;
  } else if (for_all_classes || in_rows) {
    samples.width_ = predicted / samples.rows_;
  } else {
    return Status(Code::kInvalid,
                  fmt::format("there are {} labels but {} predictions", samples.rows_, predicted));
  }
  samples.labels_ = std::move(labels);
  samples.predictions_ = std::move(predictions);
  return samples;
}

void Samples::ForEachPiece(const Visit& visit) const {
  const size_t piece = std::max<size_t>(1, kPiece / width_);
  std::vector<double> labels(std::min(piece, rows_));
  std::vector<double> rows(labels.size() * width_);
  for (size_t begin = 0; begin < rows_; begin += piece) {
    const size_t n = std::min(piece, rows_ - begin);
    ReadNumbers(labels_, begin, n, labels.data());
    ReadNumbers(predictions_, begin * width_, n * width_, rows.data());
    visit(std::span(labels).first(n), std::span(rows).first(n * width_));
  }
}

}  // namespace warden::report::xgboost
