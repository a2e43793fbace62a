#ifndef WARDEN_REPORT_XGBOOST_ROC_CURVE_H_
#define WARDEN_REPORT_XGBOOST_ROC_CURVE_H_

// ROC curves of a classifier. Used by read_run.cc; roc_section.cc draws them. Pure functions.

#include <string>
#include <vector>

#include "warden/report/xgboost/run_statistics.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// The curve of the scores of both kinds of rows: exact area and best point, and as many of its
// points as can be told apart, at most some 1000. Without rows of one kind there is no area and no
// point. REQUIRES: finite scores.
Roc RocOf(int64_t label, std::vector<double> positives, std::vector<double> negatives);

// The curves of a run; either curves or why_not is filled.
struct Rocs {
  std::vector<Roc> curves;
  std::string why_not;  // Not empty: there are none, for this reason.
};
// Of class 1, or, where there is a probability for each class, of each against the rest. Not for
// more than 100 classes or 2^28 scores. REQUIRES: recognised.task is a classification.
Rocs RocsOf(const Samples& samples, const Recognised& recognised);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_ROC_CURVE_H_
