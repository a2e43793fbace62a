#ifndef WARDEN_REPORT_XGBOOST_READ_RUN_H_
#define WARDEN_REPORT_XGBOOST_READ_RUN_H_

#include "warden/report/xgboost/figures.h"
#include "warden/trial/trial.h"

namespace warden::report::xgboost {

// All figures of a run as it is now. The predictions of the last step are looked at whole, those of
// earlier ones (at most some hundred, evenly spread) a piece at a time.
RunFigures ReadRun(const trial::Trial& trial);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_READ_RUN_H_
