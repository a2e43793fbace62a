#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/report/xgboost/read_run.h"
#include "warden/report/xgboost/xgboost_report.h"
#include "warden/rules/engine/records.h"
#include "warden/rules/xgboost_names.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

struct ReportXgboostOptions {
  std::string run;
  std::string out;
  bool json = false;
};

std::string NameOf(const std::string& run) {
  const fs::path path = fs::absolute(run).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename();
}

Result<int> Report(const ReportXgboostOptions& options, Output* out) {
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  const trial::Trial& trial = *run.value().trial;
  if (!rules::IsXgboostRun(trial)) {
    return Status(
        Code::kNotFound,
        fmt::format("{}: not an XGBoost run; expected tensors named feature_importance/*, "
                    "hyperparameters/*, trees/* or <data>-<metric>",
                    options.run));
  }
  TellProblems(run.value(), out);
  report::XgboostInputs inputs;
  inputs.statistics = report::xgboost::ReadRun(trial);
  inputs.job.name = NameOf(options.run);
  inputs.job.folder = options.run;
  inputs.job.written_at = static_cast<double>(std::time(nullptr));
  const std::string records = options.out.empty() ? rules::RecordsFolder(options.run) : options.out;
  const std::string folder = records + "/" + report::kXgboostReportFolder;
  const Status written = report::WriteXgboostReport(folder, inputs);
  if (!written.ok()) return written;
  const std::string page = folder + "/" + report::kXgboostPage;
  if (options.json) {
    out->PrintJson({{"run", options.run}, {"report", page}});
  } else {
    out->Print("{}\n", Printable(page));
  }
  return kDone;
}

void DefineReportXgboost(Command* command) {
  auto options = std::make_shared<ReportXgboostOptions>();
  command->Run(&options->run);
  command->Text("--out", &options->out, "Folder for the report (default: rule-output/ of the run)");
  command->Json(&options->json);
  command->Footer(
      "Writes CreateXgboostReport/ with xgboost_report.html (one page, works offline),\n"
      "xgboost_report.ipynb and xgboost_report.json. Replaces an existing report. Prints the path\n"
      "of the page.\n\n"
      "Examples:\n"
      "  warden report xgboost warden-runs/train-20260101T120000Z\n"
      "  warden report xgboost runs/a --out /tmp/reports");
  command->Runs(options, Report);
}

}  // namespace

CommandEntry ReportXgboost() {
  return {"xgboost", "Write the report of an XGBoost training", DefineReportXgboost};
}

}  // namespace warden::cli
