#include "warden/cli/rules/watching.h"

#include <memory>
#include <utility>

#include "warden/base/json.h"
#include "warden/cli/rules/live_report.h"
#include "warden/cli/rules/live_xgboost_report.h"
#include "warden/cli/rules/run_facts.h"
#include "warden/rules/engine/records.h"
#include "warden/rules/engine/watcher.h"
#include "warden/storage/store.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::cli {
namespace {

Json FindingFields(const rules::RuleState& rule, const rules::Finding& finding) {
  Json fields = rules::ToJson(finding);
  fields["rule"] = rule.config.name;
  return fields;
}

// Passes a finding on.
void Handle(const WatchTask& task, const rules::RuleState& rule, const rules::Finding& finding) {
  task.events->Write("finding", FindingFields(rule, finding));
  task.alarms->Found(rule, finding);
}

}  // namespace

Watched WatchRun(WatchTask task, const std::function<bool()>& stop, Output* out) {
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
  std::optional<int> gpus;  // Outlives the engine, whose feed writes to it.
  auto engine = rules::Engine::Make(std::move(task.rules), nullptr, {});
  if (!engine.ok()) return {engine.status(), {}};
  if (!task.profiler.empty()) {
    engine.value()->SetProfile(CountGpus(timeline::OpenProfileFeed(task.profiler), &gpus));
  }
  const LiveReport::Job job{task.job.name, task.job.run, task.command};
  LiveReport report(engine.value().get(), LiveReport::FolderBelow(folder), job);
  LiveXgboostReport xgboost_report(engine.value().get(), LiveXgboostReport::FolderBelow(folder),
                                   job);
  LiveDisplay display(engine.value().get(), task.progress, out);
  Step told = -1;
  rules::WatcherEvents events;
  events.found = [&](const rules::RuleState& rule, const rules::Finding& finding) {
    display.Found(rule.config.name, finding);
    Handle(task, rule, finding);
  };
  events.evaluated = [&] { task.alarms->Flush(); };
  events.moment = [&] {
    display.Moment();
    if (task.report) report.Moment();
    if (task.xgboost_report) xgboost_report.Moment();
    const Step step = engine.value()->last_step();
    if (step != std::exchange(told, step)) task.events->Write("step", {{"step", step}});
  };
  rules::Watcher watcher(engine.value().get(), &records.value(), std::move(events));
  Status status =
      watcher.Follow(rules::OpenerOf(std::move(store), stop), stop, task.only_stop_ends);
  Watched watched{std::move(status), watcher.Reports(/*over=*/true)};
  watched.last_step = engine.value()->last_step();
  watched.gpus = gpus;
  if (task.report) watched.report_page = report.Finish(out);
  if (task.xgboost_report) watched.xgboost_page = xgboost_report.Finish(out);
  return watched;
}

}  // namespace warden::cli
