#include <filesystem>
#include <memory>
#include <string>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/rules/rule_flags.h"
#include "warden/cli/text.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/records.h"
#include "warden/timeline/feed/profile_feed.h"
#include "warden/watch/report/live_profiler_report.h"
#include "warden/watch/rule_choice.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

struct ReportProfilerOptions {
  std::string run;
  std::vector<std::string> rules;
  std::string out;
  bool json = false;
};

Result<std::unique_ptr<rules::Engine>> Evaluate(const ReportProfilerOptions& options,
                                                const std::string& folder, Output* out) {
  watch::RuleFlags flags;
  flags.rules = options.rules;
  auto configs = watch::ChooseRules(flags, "none", nullptr);
  if (!configs.ok()) return configs.status();
  watch::AddReportRule(&configs.value());
  auto ready = ReadyRules(std::move(configs.value()), out);
  if (!ready.ok()) return ready.status();
  auto engine = rules::Engine::Make(std::move(ready.value()), nullptr, {});
  if (!engine.ok()) return engine.status();
  engine.value()->SetProfile(timeline::OpenProfileFeed(folder));
  int64_t pieces = 0;
  const auto ignore = [](const rules::RuleState&, const rules::Finding&) {};
  while (const int64_t more = engine.value()->Advance(64, ignore)) {
    pieces += more;
    out->ShowProgress([&] { return fmt::format("reading the profile: {} batches", pieces); });
  }
  engine.value()->End(ignore);
  return engine;
}

Result<int> Report(const ReportProfilerOptions& options, Output* out) {
  const auto data = FindProfilerData(options.run);
  if (!data.ok()) return data.status();
  const std::string& folder = data.value().folder;
  auto engine = Evaluate(options, folder, out);
  if (!engine.ok()) return engine.status();
  if (engine.value()->ProfilerResults().empty()) {
    return Status(Code::kNotFound, fmt::format("{}: no profiler data", options.run));
  }
  const fs::path run = fs::absolute(options.run).lexically_normal();
  const std::string name = (run.has_filename() ? run : run.parent_path()).filename();
  const std::string records = options.out.empty() ? rules::RecordsFolder(options.run) : options.out;
  watch::LiveReport report = watch::LiveProfilerReport(
      engine.value().get(), watch::ProfilerReportFolder(records), {name, options.run, ""});
  const auto page = report.Finish();
  if (!page.ok()) out->Tell(Printable(page.status().message()));
  if (!page.ok() || page.value().empty()) return kFailed;
  if (options.json) {
    out->PrintJson({{"run", options.run}, {"report", page.value()}});
  } else {
    out->Print("{}\n", Printable(page.value()));
  }
  return kDone;
}

void DefineReportProfiler(Command* command) {
  auto options = std::make_shared<ReportProfilerOptions>();
  command->Run(&options->run);
  command->Texts("--rules", &options->rules,
                 "Profiler rules with parameters: 'StepOutlier:stddev=4,...'");
  command->Text("--out", &options->out, "Folder for the report (default: rule-output/ of the run)");
  command->Json(&options->json);
  command->Footer(
      "Writes ProfilerReport-<time>/profiler-output/ with profiler-report.html (one page, works\n"
      "offline), profiler-report.ipynb and profiler-reports/*.json. Prints the path of the page.\n"
      "\n"
      "Examples:\n"
      "  warden report profiler warden-runs/train-20260101T120000Z\n"
      "  warden report profiler runs/a --rules LowGPUUtilization:threshold_p95=50");
  command->Runs(options, Report);
}

}  // namespace

CommandEntry ReportProfiler() {
  return {"profiler", "Write the profiling report of a run", DefineReportProfiler};
}

}  // namespace warden::cli
