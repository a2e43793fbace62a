#ifndef WARDEN_REPORT_XGBOOST_TASK_H_
#define WARDEN_REPORT_XGBOOST_TASK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warden/report/xgboost/figures.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// What the training learns: as its objective says; else as its metrics say; else as labels and
// predictions look. samples: of the last step, null if there are none.
Recognised Recognise(const std::string& objective, std::span<const MetricCurve> curves,
                     const Samples* samples);

// A label that is a whole number, as the number of its class.
std::optional<int64_t> ClassOf(double label);

// What a row of predictions says.
struct Prediction {
  int64_t label = 0;
  double score = 0;  // Of class 1, where there is a probability.
};
// Nothing if a number in the row is not finite.
std::optional<Prediction> Predicted(Scores scores, std::span<const double> row);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_TASK_H_
