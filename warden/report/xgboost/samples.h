#ifndef WARDEN_REPORT_XGBOOST_SAMPLES_H_
#define WARDEN_REPORT_XGBOOST_SAMPLES_H_

// Labels and predictions of one step, row by row, whatever their types and shapes in the file. All
// computations of this folder iterate over it.

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "warden/base/status.h"
#include "warden/trial/tensor_value.h"

namespace warden::report::xgboost {

// The labels of one step and what was predicted for them, row by row. Converted to double a piece
// at a time, so that a large step costs no more memory than its tensors. Immutable; safe for many
// threads.
//
//   const auto samples = Samples::Make(std::move(labels), std::move(predictions), /*classes=*/3);
//   if (!samples.ok()) return samples.status();
//   samples.value().ForEach([&](double label, std::span<const double> row) { ... });
//
// About 16,000 numbers are converted at a time.
class Samples {
 public:
  // Takes over both tensors. kInvalid says why the two do not go together: other than real numbers,
  // empty, or of lengths that do not fit. classes: as num_class says, 0 if not known; older
  // versions of XGBoost give the probabilities of all classes as one long row. Predictions may be
  // one for each label, a matrix with a row for each label, or classes times as many as labels.
  static Result<Samples> Make(trial::TensorValue labels, trial::TensorValue predictions,
                              size_t classes);

  // At least one.
  size_t rows() const { return rows_; }
  size_t width() const { return width_; }  // Predictions for each row.

  using Visit = std::function<void(std::span<const double> labels, std::span<const double> rows)>;
  // In order; rows has width() numbers for each label. The spans are valid during the call of
  // visit.
  void ForEachPiece(const Visit& visit) const;

  // visit(label, row of predictions), in order; the row is valid during that call.
  template <class F>
  void ForEach(F visit) const {
    ForEachPiece([&](std::span<const double> labels, std::span<const double> rows) {
      for (size_t i = 0; i < labels.size(); ++i) {
        visit(labels[i], rows.subspan(i * width_, width_));
      }
    });
  }

 private:
  trial::TensorValue labels_;
  trial::TensorValue predictions_;
  size_t rows_ = 0;
  size_t width_ = 1;
};

// Elements [begin, begin + n) as doubles. REQUIRES: HasRealNumbers, and that so many elements
// exist.
void ReadNumbers(const trial::TensorValue& value, size_t begin, size_t n, double* out);
// Whether the type is a real number: not complex, not text.
bool HasRealNumbers(const trial::TensorValue& value);

// Adds without losing digits, however many numbers there are (Neumaier's sum). Not for infinities,
// which become NaN. For one thread.
class Sum {
 public:
  void Add(double value) {
    const double sum = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_SAMPLES_H_
