#ifndef WARDEN_REPORT_XGBOOST_ROC_CURVE_H_
#define WARDEN_REPORT_XGBOOST_ROC_CURVE_H_

#include <string>
#include <vector>

#include "warden/report/xgboost/figures.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// The curve of scores of both kinds: exact area and best point, and as many of its points as can be
// told apart, at most some 1000.
Roc RocOf(int64_t label, std::vector<double> positives, std::vector<double> negatives);

struct Rocs {
  std::vector<Roc> curves;
  std::string why_not;  // Not empty: there are none, for this reason.
};
// Of class 1, or, where there is a probability for each class, of each against the rest.
Rocs RocsOf(const Samples& samples, const Recognised& recognised);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_ROC_CURVE_H_
