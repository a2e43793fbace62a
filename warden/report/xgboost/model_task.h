#ifndef WARDEN_REPORT_XGBOOST_MODEL_TASK_H_
#define WARDEN_REPORT_XGBOOST_MODEL_TASK_H_

// What an XGBoost training learns, and how to read its predictions. Used by read_run.cc and
// class_counts.cc. Pure functions.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warden/report/xgboost/run_statistics.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// What the training learns: as its objective says; else as its metrics say; else as labels and
// predictions look. objective: empty if it was not saved. samples: of the last step, null if there
// are none; then scores stays kValue. kUnknown if nothing says it. `how` is a sentence for the
// report.
Recognised Recognise(const std::string& objective, std::span<const MetricCurve> curves,
                     const Samples* samples);

// A label that is a whole number below 2^53, as the number of its class; nothing for others.
std::optional<int64_t> ClassOf(double label);

// What a row of predictions says.
struct Prediction {
  int64_t label = 0;
  double score = 0;  // Of class 1, where there is a probability.
};
// Nothing if a number in the row is not finite. Above 0.5 (a margin above 0) is class 1; of a row,
// the class of the largest probability. REQUIRES: a row that is not empty.
//
//   samples.ForEach([&](double label, std::span<const double> row) {
//     const auto predicted = Predicted(recognised.scores, row);
//     if (predicted && ClassOf(label) == predicted->label) ++correct;
//   });
std::optional<Prediction> Predicted(Scores scores, std::span<const double> row);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_MODEL_TASK_H_
