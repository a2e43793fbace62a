#ifndef WARDEN_REPORT_XGBOOST_XGBOOST_REPORT_H_
#define WARDEN_REPORT_XGBOOST_XGBOOST_REPORT_H_

#include <string>

#include "warden/base/status.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report.h"
#include "warden/report/xgboost/figures.h"

namespace warden::report {

struct XgboostInputs {
  JobFacts job;
  xgboost::RunFigures figures;  // xgboost/read_run.h makes them of a run.
};

// How well an XGBoost model has learnt, and what to do about it. Pure: the same inputs give the
// same report. What was not saved is named in its section, with what to save to get it.
Report BuildXgboostReport(const XgboostInputs& inputs);

// Writes xgboost_report.json (every figure in full precision), xgboost_report.ipynb and
// xgboost_report.html into the folder. Each file is replaced whole or not at all, the page last.
// kIo names the file.
Status WriteXgboostReport(const std::string& folder, const XgboostInputs& inputs);

inline constexpr char kXgboostReportFolder[] = "CreateXgboostReport";
inline constexpr char kXgboostPage[] = "xgboost_report.html";

}  // namespace warden::report

#endif  // WARDEN_REPORT_XGBOOST_XGBOOST_REPORT_H_
