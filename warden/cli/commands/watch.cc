#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/capture/claim.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/profiler_data.h"
#include "warden/cli/rules/alarm_flags.h"
#include "warden/cli/rules/live_display.h"
#include "warden/cli/rules/rule_flags.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/storage/store.h"
#include "warden/watch/baseline_choice.h"
#include "warden/watch/evaluation.h"
#include "warden/watch/local/local_jobs.h"
#include "warden/watch/report/live_xgboost_report.h"
#include "warden/watch/rule_choice.h"
#include "warden/watch/summary/run_facts.h"

namespace warden::cli {
namespace {

struct WatchOptions {
  std::string run;
  watch::RuleFlags rules;
  std::string baseline;
  AlarmFlags alarms;
  std::string fail_on = "problem";
  std::string events;
  bool json = false;
  bool verbose = false;
};

Result<int> Watch(const WatchOptions& options, Output* out) {
  // The default rules depend on the run's framework, which is known once it has begun.
  const auto begun = OpenRun(options.run);
  auto configs = watch::ChooseRules(options.rules, "default",
                                    begun.ok() ? begun.value().trial.get() : nullptr);
  if (!configs.ok()) return configs.status();
  const Status compared =
      watch::AddBaselineRuleFor(options.run, options.baseline, &configs.value());
  if (!compared.ok()) return compared.WithContext("--baseline");
  auto ready = ReadyRules(std::move(configs.value()), out);
  if (!ready.ok()) return ready.status();
  SummaryOptions summary{options.verbose, watch::NamedRules(ready.value()), {}};
  auto alarms = MakeAlarms(options.alarms, ready.value());
  if (!alarms.ok()) return alarms.status();
  auto events = options.events.empty() ? RunEvents::ToNowhere() : RunEvents::ToFile(options.events);
  if (!events.ok()) return events.status();

  watch::LocalJobs jobs(alarms.value().grace());
  watch::WatchTask task{jobs.JobOf(options.run), std::move(ready.value()), &alarms.value(), &jobs};
  task.xgboost_report = watch::WantsXgboostReport(task.rules);
  const auto profiler = ProfilerDataOf(options.run);
  if (!profiler.ok()) return profiler.status();
  if (profiler.value().mirror != nullptr) {
    // A run that is over already is not waited for.
    const Status updated = profiler.value().mirror->Update();
    if (!updated.ok()) out->Tell(Printable(updated.message()));
    profiler.value().mirror->Follow();
  }
  task.profiler = profiler.value().folder;
  CatchInterrupts();
  const auto store = storage::OpenStore(options.run);
  if (!store.ok()) return store.status();
  if (!begun.ok()) {
    out->Tell(fmt::format("waiting for {} to begin; press Ctrl-C to stop", Printable(options.run)));
  }
  // Of a run elsewhere only its end mark tells that it is over.
  const bool here = !storage::IsRemote(options.run);
  const auto stop = [&] {
    return Interrupted() || (here && capture::Claim::HolderIsGone(*store.value()));
  };
  LiveDisplay display(LiveDisplay::Progress::kLine, options.verbose, &events.value(), out);
  const watch::Watched watched = watch::WatchRun(std::move(task), stop, &display);
  alarms.value().Finish(&display);
  if (!watched.status.ok()) return watched.status;
  if (jobs.stopped_any()) out->Tell(StopText(alarms.value().stopped_by(), watched.last_step));
  if (options.json) {
    if (!watched.xgboost_page.empty()) {
      out->Tell("XGBoost report: " + Printable(watched.xgboost_page));
    }
    out->PrintJson(ReportsJson(options.run, watched.reports, watched.machine.get()));
  } else {
    const auto run = OpenRun(options.run);
    summary.facts = watch::FactsOf(run.ok() ? run.value().trial.get() : nullptr, watched.gpus);
    summary.machine = watched.machine.get();
    PrintSummary(watched.reports, summary, out);
    PrintPlaces({options.run, "", watched.report_page, watched.xgboost_page}, summary.facts, out);
  }
  return ExitCodeFor(watched.reports, FailOn(options.fail_on));
}

void DefineWatch(Command* command) {
  auto options = std::make_shared<WatchOptions>();
  command->Run(&options->run);
  DefineRuleFlags(command, &options->rules);
  DefineShadowFlag(command, &options->rules);
  DefineBaselineFlag(command, &options->baseline);
  DefineAlarmFlags(command, &options->alarms);
  DefineFailOn(command, &options->fail_on);
  command->Text("--events", &options->events, "File for events, one JSON object per line");
  command->Json(&options->json);
  command->Switch("-v,--verbose", &options->verbose,
                  "Show every finding, and the rules that were not evaluated");
  command->Footer(
      "Checks a run from its first step until the run ends or you press Ctrl-C. Results go to\n"
      "rule-output/ in the run's folder. Started again, it continues where it stopped and repeats\n"
      "no findings.\n\n"
      "Exit code: 0 no problems found, 1 error, 2 usage error, 3 problems found; --fail-on says\n"
      "whether warnings count.\n\n"
      "Examples:\n"
      "  warden watch warden-runs/train-20260101T120000Z\n"
      "  warden watch runs/a --rules ExplodingTensor --stop-on any --notify email:me@example.com");
  command->Runs(options, Watch);
}

}  // namespace

CommandEntry WatchARun() {
  return {"watch", "Check a run while another process writes it", DefineWatch};
}

}  // namespace warden::cli
