#include "warden/watch/evaluation.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "warden/rules/engine/records.h"
#include "warden/rules/engine/watcher.h"
#include "warden/storage/store.h"
#include "warden/timeline/feed/profile_feed.h"
#include "warden/watch/report/live_profiler_report.h"
#include "warden/watch/report/live_xgboost_report.h"
#include "warden/watch/summary/run_facts.h"

namespace warden::watch {
namespace {

// gpus: counts those of the profile, and outlives the engine.
Result<std::unique_ptr<rules::Engine>> MakeEngine(std::vector<rules::PreparedRule> rules,
                                                  std::shared_ptr<trial::Trial> trial,
                                                  const std::string& profiler,
                                                  std::optional<int>* gpus) {
  auto engine = rules::Engine::Make(std::move(rules), std::move(trial), {});
  if (engine.ok() && !profiler.empty()) {
    engine.value()->SetProfile(CountGpus(timeline::OpenProfileFeed(profiler), gpus));
  }
  return engine;
}

// The path of the page; empty if there is none.
std::string FinishReport(LiveReport* report, WatchListener* listener) {
  auto page = report->Finish();
  if (page.ok()) return std::move(page).value();
  listener->Problem(page.status().message());
  return "";
}

}  // namespace

Watched WatchRun(WatchTask task, const std::function<bool()>& stop, WatchListener* listener) {
  std::shared_ptr<storage::Store> store;
  if (auto opened = storage::OpenStore(task.job.run); opened.ok()) {
    store = std::move(opened.value());
  } else {
    return {opened.status(), {}};
  }
  const std::string folder = rules::RecordsFolder(task.job.run);
  auto records = rules::Records::Open(folder);
  if (!records.ok()) return {records.status(), {}};
  if (task.alarms->wanted()) {
    const Status status = task.alarms->Start(task.job, folder, task.control);
    if (!status.ok()) return {status, {}};
  }
  std::optional<int> gpus;
  const auto machine = std::make_shared<MachineLog>(task.profiler);
  auto made = MakeEngine(std::move(task.rules), nullptr, task.profiler, &gpus);
  if (!made.ok()) return {made.status(), {}};
  rules::Engine* const engine = made.value().get();
  const ReportJob job{task.job.name, task.job.run, task.command};
  LiveReport report = LiveProfilerReport(engine, ProfilerReportFolder(folder), job);
  LiveReport xgboost_report = LiveXgboostReport(engine, XgboostReportFolder(folder), job);
  rules::WatcherEvents events;
  events.found = [&](const rules::RuleState& rule, const rules::Finding& finding) {
    listener->Found(rule, finding);
    task.alarms->Found(rule, finding);
  };
  events.known = [&](const rules::RuleState& rule, const rules::Finding& finding) {
    listener->Known(rule, finding);
    task.alarms->Known(rule, finding);
  };
  events.evaluated = [&] { task.alarms->Flush(*engine, machine.get()); };
  events.moment = [&] {
    listener->Moment(*engine, machine.get());
    if (task.report) report.Moment();
    if (task.xgboost_report) xgboost_report.Moment();
  };
  rules::Watcher watcher(engine, &records.value(), std::move(events));
  Status status =
      watcher.Follow(rules::OpenerOf(std::move(store), stop), stop, task.only_stop_ends);
  Watched watched{std::move(status), watcher.Reports(/*over=*/true)};
  watched.last_step = engine->last_step();
  watched.gpus = gpus;
  watched.machine = machine;
  if (task.report) watched.report_page = FinishReport(&report, listener);
  if (task.xgboost_report) watched.xgboost_page = FinishReport(&xgboost_report, listener);
  return watched;
}

Watched EvaluateRun(EvalTask task, WatchListener* listener) {
  std::optional<int> gpus;
  const auto machine = std::make_shared<MachineLog>(task.profiler);
  auto made = MakeEngine(std::move(task.rules), std::move(task.trial), task.profiler, &gpus);
  if (!made.ok()) return {made.status(), {}};
  rules::Engine* const engine = made.value().get();
  const std::string folder = rules::RecordsFolder(task.run);
  rules::Records records;
  if (task.record) {
    auto opened = rules::Records::Open(folder);
    if (!opened.ok()) return {opened.status(), {}};
    records = std::move(opened.value());
  }
  rules::WatcherEvents events;
  events.moment = [&] { listener->Moment(*engine, machine.get()); };
  rules::Watcher watcher(engine, &records, std::move(events));
  if (Status status = watcher.CatchUp(); !status.ok()) return {std::move(status), {}};
  Watched watched{Status(), watcher.Reports(/*over=*/true)};
  watched.last_step = engine->last_step();
  watched.gpus = gpus;
  watched.machine = machine;
  if (task.xgboost_report) {
    std::error_code error;
    const std::string name = std::filesystem::weakly_canonical(task.run, error).filename();
    LiveReport report =
        LiveXgboostReport(engine, XgboostReportFolder(folder), {name, task.run, ""});
    watched.xgboost_page = FinishReport(&report, listener);
  }
  return watched;
}

}  // namespace warden::watch
