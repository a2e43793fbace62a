#ifndef WARDEN_REPORT_XGBOOST_XGBOOST_REPORT_H_
#define WARDEN_REPORT_XGBOOST_XGBOOST_REPORT_H_

// The XGBoost report: how well a model has learned. Written by `warden report` and, while a
// training runs, by the rule CreateXgboostReport. No state; safe for many threads.
//
//   XgboostInputs inputs{.job = {.name = "churn"}, .statistics = xgboost::ReadRun(trial)};
//   Status status = WriteXgboostReport(run + "/rule-output/" + kXgboostReportFolder, inputs);

#include <string>

#include "warden/base/status.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_document.h"
#include "warden/report/xgboost/run_statistics.h"

namespace warden::report {

// All that the report is made of.
struct XgboostInputs {
  JobFacts job;
  xgboost::RunStatistics statistics;  // xgboost/read_run.h makes them of a run.
};

// How well an XGBoost model has learned, and what to do about it. Pure: the same inputs give the
// same report. What was not saved is named in its section, with what to save to get it.
Report BuildXgboostReport(const XgboostInputs& inputs);

// Writes xgboost_report.json (every value in full precision), xgboost_report.ipynb and
// xgboost_report.html into the folder, which is created. Each file is replaced as a whole or not at
// all, the page last. kIo names the file; the files before it are written.
Status WriteXgboostReport(const std::string& folder, const XgboostInputs& inputs);

// Where the original's clients look for it, below a run's rule-output, and the page in there.
inline constexpr char kXgboostReportFolder[] = "CreateXgboostReport";
inline constexpr char kXgboostPage[] = "xgboost_report.html";

}  // namespace warden::report

#endif  // WARDEN_REPORT_XGBOOST_XGBOOST_REPORT_H_
