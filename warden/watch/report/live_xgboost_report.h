#ifndef WARDEN_WATCH_REPORT_LIVE_XGBOOST_REPORT_H_
#define WARDEN_WATCH_REPORT_LIVE_XGBOOST_REPORT_H_

#include <string>
#include <vector>

#include "warden/rules/engine/engine.h"
#include "warden/watch/report/live_report.h"

namespace warden::watch {

// Whether the rule CreateXgboostReport is among them.
bool WantsXgboostReport(const std::vector<rules::PreparedRule>& rules);

// The report of an XGBoost training, from the trial of its engine, which outlives it. Nothing is
// written for other trainings. folder: of the report. Reads the whole run again each time it is
// written.
LiveReport LiveXgboostReport(const rules::Engine* engine, const std::string& folder, ReportJob job);

// The folder for it among others: "CreateXgboostReport" below that one.
std::string XgboostReportFolder(const std::string& records);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_REPORT_LIVE_XGBOOST_REPORT_H_
