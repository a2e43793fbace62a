#include <filesystem>
#include <memory>
#include <optional>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/choice.h"
#include "warden/cli/rules/live_xgboost_report.h"
#include "warden/cli/rules/run_facts.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/format/profiler_layout.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/records.h"
#include "warden/rules/engine/watcher.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::cli {
namespace {

struct EvalOptions {
  std::string run;
  RuleFlags rules;
  bool record = false;
  bool json = false;
  bool verbose = false;
};

Result<int> Evaluate(const EvalOptions& options, Output* out) {
  const std::string profiler = format::ProfilerFolder(options.run);
  std::error_code error;
  const bool profiled = std::filesystem::is_directory(profiler, error);
  auto run = OpenRun(options.run);
  if (!run.ok() && !profiled) return run.status();
  std::shared_ptr<trial::Trial> trial;
  if (run.ok()) trial = std::move(run.value().trial);
  auto configs = ChooseRules(options.rules, "default", trial.get());
  if (!configs.ok()) return configs.status();
  auto ready = ReadyRules(std::move(configs.value()), out);
  if (!ready.ok()) return ready.status();
  SummaryOptions summary{options.verbose, NamedRules(ready.value()), {}};
  const bool xgboost_report = options.record && WantsXgboostReport(ready.value());
  std::optional<int> gpus;  // Outlives the engine, whose feed writes to it.
  auto engine = rules::Engine::Make(std::move(ready.value()), trial, {});
  if (!engine.ok()) return engine.status();
  if (profiled) engine.value()->SetProfile(CountGpus(timeline::OpenProfileFeed(profiler), &gpus));

  rules::Records records;
  if (options.record) {
    auto opened = rules::Records::Open(rules::RecordsFolder(options.run));
    if (!opened.ok()) return opened.status();
    records = std::move(opened.value());
  }
  rules::WatcherEvents events;
  events.moment = [&] {
    out->ShowProgress([&] { return fmt::format("checking step {}", engine.value()->last_step()); });
  };
  rules::Watcher watcher(engine.value().get(), &records, std::move(events));
  if (const Status status = watcher.CatchUp(); !status.ok()) return status;
  const auto reports = watcher.Reports(/*over=*/true);
  std::string xgboost_page;
  if (xgboost_report) {
    const std::string name = std::filesystem::weakly_canonical(options.run, error).filename();
    LiveXgboostReport report(engine.value().get(),
                             LiveXgboostReport::FolderBelow(rules::RecordsFolder(options.run)),
                             {name, options.run, ""});
    xgboost_page = report.Finish(out);
  }
  if (options.json) {
    if (!xgboost_page.empty()) out->Tell("XGBoost report: " + Printable(xgboost_page));
    out->PrintJson(ReportsJson(options.run, reports));
  } else {
    summary.facts = FactsOf(trial.get(), gpus);
    PrintSummary(reports, summary, out);
    PrintPlaces({options.run, "", "", xgboost_page}, summary.facts, out);
  }
  return ExitCodeFor(reports);
}

void DefineEval(Command* command) {
  auto options = std::make_shared<EvalOptions>();
  command->Run(&options->run);
  DefineRuleFlags(command, &options->rules);
  command->Switch("--record", &options->record,
                  "Also write the results to rule-output/ in the run's folder");
  command->Json(&options->json);
  command->Switch(
      "-v,--verbose", &options->verbose,
      "Show examples and advice for every problem, and the rules that were not evaluated");
  command->Footer(
      "Exit code: 0 no problems found, 1 error, 2 usage error, 3 problems found.\n\n"
      "Examples:\n"
      "  warden eval runs/a\n"
      "  warden eval runs/a --rules 'VanishingGradient:threshold=1e-6,AllZero:tensor_regex=bias'\n"
      "  warden eval runs/a --rule my_rules.py:TooSlow,limit=20 --json");
  command->Runs(options, Evaluate);
}

}  // namespace

CommandEntry Eval() { return {"eval", "Check a finished run", DefineEval}; }

}  // namespace warden::cli
