#ifndef WARDEN_REPORT_XGBOOST_CLASS_COUNTS_H_
#define WARDEN_REPORT_XGBOOST_CLASS_COUNTS_H_

// How well a classifier predicts each class, counted row by row. Used by read_run.cc for the last
// step and for the accuracy over time. The numbers are those of scikit-learn, with which tests
// compare them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "warden/report/xgboost/run_statistics.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// More than anybody could look at; bounds memory when "labels" are really values.
inline constexpr size_t kMostClasses = 1000;

// How often each class was taken for which: a confusion matrix that grows. For one thread.
//
//   ClassCounts counts;
//   counts.Add(/*label=*/1, /*predicted=*/0);
class ClassCounts {
 public:
  // Counts one row; any numbers are allowed as classes. False: there are more than kMostClasses
  // classes, and this row is not counted.
  bool Add(int64_t label, int64_t predicted);

  // Ascending; all that occur.
  std::vector<int64_t> Labels() const;
  // 0 for classes that do not occur.
  int64_t Count(int64_t label, int64_t predicted) const;

 private:
  static constexpr size_t kQuick = 256;  // Classes that are found without searching.

  std::optional<size_t> PlaceOf(int64_t label);

  std::array<int32_t, kQuick> quick_ = {};  // Place + 1.
  std::map<int64_t, size_t> places_;
  std::vector<std::vector<int64_t>> counts_;  // By label, then prediction; rows as long as needed.
};

// What is counted of one step. rows + left_out is what samples has, unless too_many.
struct StepCounts {
  ClassCounts counts;
  int64_t rows = 0;
  int64_t left_out = 0;
  bool too_many = false;  // Classes.
};
// left_out: rows whose label is not a whole number or whose prediction is not finite.
StepCounts CountClasses(const Samples& samples, Scores scores);

// As scikit-learn has it, with 0 where there is nothing to divide by. Leaves step and log_loss to
// the caller. The matrix is left out above 100 classes.
Classification Evaluate(const StepCounts& counted);

// The mean of -log(probability of the label), as scikit-learn has it; nothing if predictions are
// not probabilities, or if a label has none. Rows without a usable label or prediction do not
// count.
std::optional<double> LogLoss(const Samples& samples, Scores scores);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_CLASS_COUNTS_H_
