#include <filesystem>
#include <memory>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/rules/alarm_flags.h"
#include "warden/cli/rules/rule_flags.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/watch/baseline_choice.h"
#include "warden/watch/evaluation.h"
#include "warden/watch/report/live_xgboost_report.h"
#include "warden/watch/rule_choice.h"
#include "warden/watch/summary/run_facts.h"
#include "warden/watch/watch_listener.h"

namespace warden::cli {
namespace {

struct EvalOptions {
  std::string run;
  watch::RuleFlags rules;
  std::string baseline;
  std::string fail_on = "problem";
  bool record = false;
  bool json = false;
  bool verbose = false;
};

class EvalProgress : public watch::WatchListener {
 public:
  explicit EvalProgress(Output* out) : out_(out) {}

  void Moment(const rules::Engine& engine, watch::MachineLog* /*machine*/) override {
    out_->ShowProgress([&] { return fmt::format("checking step {}", engine.last_step()); });
  }
  void Problem(const std::string& text) override { out_->Tell(Printable(text)); }

 private:
  Output* const out_;
};

// The profiler's folder with what is there now; empty if nothing is.
Result<std::string> ReadableFolder(const ProfilerData& data) {
  if (data.mirror != nullptr) {
    if (Status status = data.mirror->Update(); !status.ok()) return status;
    return data.mirror->any() ? data.folder : "";
  }
  std::error_code error;
  return std::filesystem::is_directory(data.folder, error) ? data.folder : "";
}

Result<int> Evaluate(const EvalOptions& options, Output* out) {
  auto profiler = ProfilerDataOf(options.run);
  if (!profiler.ok()) return profiler.status();
  const auto profile = ReadableFolder(profiler.value());
  if (!profile.ok()) return profile.status();
  const bool profiled = !profile.value().empty();
  auto run = OpenRun(options.run);
  if (!run.ok() && !profiled) return run.status();
  std::shared_ptr<trial::Trial> trial;
  if (run.ok()) trial = std::move(run.value().trial);
  auto configs = watch::ChooseRules(options.rules, "default", trial.get());
  if (!configs.ok()) return configs.status();
  const Status compared =
      watch::AddBaselineRuleFor(options.run, options.baseline, &configs.value());
  if (!compared.ok()) return compared.WithContext("--baseline");
  auto ready = ReadyRules(std::move(configs.value()), out);
  if (!ready.ok()) return ready.status();
  SummaryOptions summary{options.verbose, watch::NamedRules(ready.value()), {}};
  watch::EvalTask task{options.run, std::move(ready.value()), trial};
  task.profiler = profile.value();
  task.record = options.record;
  task.xgboost_report = options.record && watch::WantsXgboostReport(task.rules);
  EvalProgress progress(out);
  const watch::Watched watched = watch::EvaluateRun(std::move(task), &progress);
  if (!watched.status.ok()) return watched.status;
  if (options.json) {
    if (!watched.xgboost_page.empty()) {
      out->Tell("XGBoost report: " + Printable(watched.xgboost_page));
    }
    out->PrintJson(ReportsJson(options.run, watched.reports, watched.machine.get()));
  } else {
    summary.facts = watch::FactsOf(trial.get(), watched.gpus);
    summary.machine = watched.machine.get();
    PrintSummary(watched.reports, summary, out);
    PrintPlaces({options.run, "", "", watched.xgboost_page}, summary.facts, out);
  }
  return ExitCodeFor(watched.reports, FailOn(options.fail_on));
}

void DefineEval(Command* command) {
  auto options = std::make_shared<EvalOptions>();
  command->Run(&options->run);
  DefineRuleFlags(command, &options->rules);
  DefineBaselineFlag(command, &options->baseline);
  DefineFailOn(command, &options->fail_on);
  command->Switch("--record", &options->record,
                  "Also write the results to rule-output/ in the run's folder");
  command->Json(&options->json);
  command->Switch("-v,--verbose", &options->verbose,
                  "Show every finding, and the rules that were not evaluated");
  command->Footer(
      "Exit code: 0 no problems found, 1 error, 2 usage error, 3 problems found; --fail-on says\n"
      "whether warnings count.\n\n"
      "Examples:\n"
      "  warden eval runs/a\n"
      "  warden eval runs/a --rules 'VanishingGradient:threshold=1e-6,AllZero:tensor_regex=bias'\n"
      "  warden eval runs/a --rule my_rules.py:TooSlow,limit=20 --json");
  command->Runs(options, Evaluate);
}

}  // namespace

CommandEntry Eval() { return {"eval", "Check a finished run", DefineEval}; }

}  // namespace warden::cli
