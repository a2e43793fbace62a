#include "warden/watch/report/live_xgboost_report.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "warden/report/xgboost/read_run.h"
#include "warden/report/xgboost/xgboost_report.h"
#include "warden/rules/xgboost_names.h"

namespace warden::watch {

bool WantsXgboostReport(const std::vector<rules::PreparedRule>& rules) {
  return std::any_of(rules.begin(), rules.end(), [](const rules::PreparedRule& rule) {
    return rule.spec->name == report::kXgboostReportFolder;
  });
}

LiveReport LiveXgboostReport(const rules::Engine* engine, const std::string& folder,
                             ReportJob job) {
  return {"XGBoost", folder + "/" + report::kXgboostPage,
          [engine, folder, job = std::move(job)](bool still_running) {
            const trial::Trial* trial = engine->trial();
            if (trial == nullptr || !rules::IsXgboostRun(*trial)) {
              return Status(Code::kUnavailable, "nothing to report");
            }
            report::XgboostInputs inputs;
            inputs.statistics = report::xgboost::ReadRun(*trial);
            inputs.job.name = job.name;
            inputs.job.folder = job.run;
            inputs.job.command = job.command;
            inputs.job.still_running = still_running;
            inputs.job.written_at = static_cast<double>(std::time(nullptr));
            return report::WriteXgboostReport(folder, inputs);
          }};
}

std::string XgboostReportFolder(const std::string& records) {
  return records + "/" + report::kXgboostReportFolder;
}

}  // namespace warden::watch
