#include "warden/base/json.h"
#include "warden/capture/claim.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/launch/local_jobs.h"
#include "warden/cli/rules/alarms.h"
#include "warden/cli/rules/choice.h"
#include "warden/cli/rules/live_xgboost_report.h"
#include "warden/cli/rules/verdict_text.h"
#include "warden/cli/rules/watching.h"
#include "warden/cli/run.h"
#include "warden/cli/text.h"
#include "warden/format/profiler_layout.h"
#include "warden/storage/store.h"

namespace warden::cli {
namespace {

struct WatchOptions {
  std::string run;
  RuleFlags rules;
  AlarmFlags alarms;
  std::string events;
  bool json = false;
};

Result<int> Watch(const WatchOptions& options, Output* out) {
  // Which rules suit a run is told by the run, if it has begun.
  const auto begun = OpenRun(options.run);
  auto configs =
      ChooseRules(options.rules, "default", begun.ok() ? begun.value().trial.get() : nullptr);
  if (!configs.ok()) return configs.status();
  auto ready = ReadyRules(std::move(configs.value()), out);
  if (!ready.ok()) return ready.status();
  auto alarms = Alarms::Make(options.alarms, ready.value());
  if (!alarms.ok()) return alarms.status();
  auto events = options.events.empty() ? RunEvents::ToNowhere() : RunEvents::ToFile(options.events);
  if (!events.ok()) return events.status();

  LocalJobs jobs(alarms.value().grace());
  WatchTask task{jobs.JobOf(options.run), std::move(ready.value()),    &alarms.value(), &jobs,
                 &events.value(),         LiveDisplay::Progress::kLine};
  task.xgboost_report = WantsXgboostReport(task.rules);
  task.profiler = format::ProfilerFolder(options.run);
  CatchInterrupts();
  const auto store = storage::OpenStore(options.run);
  if (!store.ok()) return store.status();
  const auto stop = [&] { return Interrupted() || capture::Claim::HolderIsGone(*store.value()); };
  const Watched watched = WatchRun(std::move(task), stop, out);
  alarms.value().Finish(out);
  if (!watched.status.ok()) return watched.status;
  if (!watched.xgboost_page.empty()) {
    out->Tell("XGBoost report: " + Printable(watched.xgboost_page));
  }
  if (options.json) {
    out->PrintJson(VerdictsJson(options.run, watched.reports));
  } else {
    PrintVerdicts(watched.reports, /*explain=*/false, out);
  }
  return VerdictCode(watched.reports);
}

void DefineWatch(Command* command) {
  auto options = std::make_shared<WatchOptions>();
  command->Run(&options->run);
  DefineRuleFlags(command, &options->rules);
  DefineAlarmFlags(command, &options->alarms);
  command->Text("--events", &options->events, "File for events, one JSON object to a line");
  command->Json(&options->json);
  command->Footer(
      "Judges a run while it is written, from its first step on, and ends when the run does or by\n"
      "Ctrl-C. Records go to rule-output/ in the run's folder; started again, it goes on where it\n"
      "was and tells nothing twice.\n\n"
      "Exit code: 0 nothing found, 1 a rule failed, 2 used wrongly, 3 issues found.\n\n"
      "Examples:\n"
      "  warden watch warden-runs/train-20260101T120000Z\n"
      "  warden watch runs/a --rules ExplodingTensor --stop-on any --notify email:me@example.com");
  command->Runs(options, Watch);
}

}  // namespace

CommandEntry WatchARun() {
  return {"watch", "Judge a run by rules while it is written", DefineWatch};
}

}  // namespace warden::cli
