#ifndef WARDEN_CLI_RULES_LIVE_XGBOOST_REPORT_H_
#define WARDEN_CLI_RULES_LIVE_XGBOOST_REPORT_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/live_report.h"
#include "warden/cli/rules/writing_pace.h"
#include "warden/rules/engine/engine.h"

namespace warden::cli {

// Whether the rule CreateXgboostReport is among them.
bool WantsXgboostReport(const std::vector<rules::PreparedRule>& rules);

// The report of an XGBoost training that is being evaluated, kept up to date. Nothing is written
// for other trainings. For one thread.
class LiveXgboostReport {
 public:
  // folder: of the report. The engine outlives this.
  LiveXgboostReport(const rules::Engine* engine, std::string folder, LiveReport::Job job);

  // The folder for it among others: "CreateXgboostReport" below that one.
  static std::string FolderBelow(const std::string& records);

  // Rewrites it if that is due.
  void Moment();
  // Writes the final version. The page's path; empty if there was nothing to report, or if writing
  // failed, which is told.
  std::string Finish(Output* out);

 private:
  // kUnavailable: nothing to report.
  Status Write(bool still_running) const;

  const rules::Engine* engine_;
  const LiveReport::Job job_;
  const std::string folder_;
  WritingPace pace_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_LIVE_XGBOOST_REPORT_H_
