#ifndef WARDEN_REPORT_XGBOOST_CLASS_COUNTS_H_
#define WARDEN_REPORT_XGBOOST_CLASS_COUNTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "warden/report/xgboost/figures.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

inline constexpr size_t kMostClasses = 1000;

// How often each class was taken for which.
class ClassCounts {
 public:
  // False: there are more classes than anybody could look at, and this one is not counted.
  bool Add(int64_t label, int64_t predicted);

  // Ascending; all that occur.
  std::vector<int64_t> Labels() const;
  int64_t Count(int64_t label, int64_t predicted) const;

 private:
  static constexpr size_t kQuick = 256;  // Classes that are found without searching.

  std::optional<size_t> PlaceOf(int64_t label);

  std::array<int32_t, kQuick> quick_ = {};  // Place + 1.
  std::map<int64_t, size_t> places_;
  std::vector<std::vector<int64_t>> counts_;  // By label, then prediction; rows as long as needed.
};

// What is counted of one step.
struct StepCounts {
  ClassCounts counts;
  int64_t rows = 0;
  int64_t left_out = 0;
  bool too_many = false;  // Classes.
};
StepCounts CountClasses(const Samples& samples, Scores scores);

// As scikit-learn has it, with 0 where there is nothing to divide by.
Classification Evaluate(const StepCounts& counted);

// The mean of -log(probability of the label), as scikit-learn has it; nothing if predictions are no
// probabilities, or if a label has none.
std::optional<double> LogLoss(const Samples& samples, Scores scores);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_CLASS_COUNTS_H_
