#include "warden/cli/rules/live_xgboost_report.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "warden/cli/text.h"
#include "warden/report/xgboost/read_run.h"
#include "warden/report/xgboost/xgboost_report.h"
#include "warden/rules/xgboost_names.h"

namespace warden::cli {

bool WantsXgboostReport(const std::vector<rules::PreparedRule>& rules) {
  return std::any_of(rules.begin(), rules.end(), [](const rules::PreparedRule& rule) {
    return rule.spec->name == report::kXgboostReportFolder;
  });
}

LiveXgboostReport::LiveXgboostReport(const rules::Engine* engine, std::string folder,
                                     LiveReport::Job job)
    : engine_(engine), job_(std::move(job)), folder_(std::move(folder)) {}

std::string LiveXgboostReport::FolderBelow(const std::string& records) {
  return records + "/" + report::kXgboostReportFolder;
}

Status LiveXgboostReport::Write(bool still_running) const {
  const trial::Trial* trial = engine_->trial();
  if (trial == nullptr || !rules::IsXgboostRun(*trial)) {
    return Status(Code::kUnavailable, "nothing to report");
  }
  report::XgboostInputs inputs;
  inputs.statistics = report::xgboost::ReadRun(*trial);
  inputs.job.name = job_.name;
  inputs.job.folder = job_.run;
  inputs.job.command = job_.command;
  inputs.job.still_running = still_running;
  inputs.job.written_at = static_cast<double>(std::time(nullptr));
  return report::WriteXgboostReport(folder_, inputs);
}

void LiveXgboostReport::Moment() {
  if (!pace_.IsDue()) return;
  // Finish reports a failure; until then the next attempt may succeed.
  (void)Write(/*still_running=*/true);
  pace_.Written();
}

std::string LiveXgboostReport::Finish(Output* out) {
  const Status status = Write(/*still_running=*/false);
  if (status.ok()) return folder_ + "/" + report::kXgboostPage;
  if (status.code() != Code::kUnavailable) {
    out->Tell("cannot write the XGBoost report: " + Printable(status.message()));
  }
  return "";
}

}  // namespace warden::cli
