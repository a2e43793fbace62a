#ifndef WARDEN_REPORT_XGBOOST_READ_RUN_H_
#define WARDEN_REPORT_XGBOOST_READ_RUN_H_

#include "warden/report/xgboost/run_statistics.h"
#include "warden/trial/trial.h"

namespace warden::report::xgboost {

// All numbers of a run as it is now: the input of BuildXgboostReport. Called by `warden report` and
// by the rule that writes the report while a training runs.
//
// The predictions of the last step are examined completely, those of earlier ones (at most 200,
// evenly spread) a piece at a time. Never fails: what cannot be read or was not saved is left out,
// with the reason in why_... . Takes as long as reading those tensors does. trial is used during
// the call only.
RunStatistics ReadRun(const trial::Trial& trial);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_READ_RUN_H_
