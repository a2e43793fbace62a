#include "warden/cli/rules/watching.h"

#include <chrono>
#include <set>
#include <utility>

#include "warden/base/json.h"
#include "warden/cli/rules/verdict_text.h"
#include "warden/rules/records.h"
#include "warden/rules/watcher.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"

namespace warden::cli {
namespace {

// Reports of rules of which none came to judge.
std::vector<rules::RuleReport> NotBegun(const std::vector<rules::PreparedRule>& prepared) {
  std::vector<rules::RuleReport> reports;
  for (const rules::PreparedRule& rule : prepared) {
    rules::RuleReport& report = reports.emplace_back();
    report.name = rule.config.name;
    report.rule = rule.spec->name;
    report.status = rules::RuleStatus::kNotEvaluated;
    report.reason = "nothing was saved";
    report.parameters = rule.params.texts();
    report.doc = rule.spec->doc;
  }
  return reports;
}

// Tells rules that judge silence of a program that has not saved anything at all.
class SilentStart {
 public:
  using OnFinding = rules::Engine::OnFinding;

  explicit SilentStart(std::vector<rules::PreparedRule>* rules) : rules_(rules) {}

  void Look(const OnFinding& on_finding) {
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - begun_);
    for (rules::PreparedRule& prepared : *rules_) {
      const auto patience = prepared.rule->patience();
      if (!patience || waited < *patience || !told_.insert(prepared.config.name).second) continue;
      rules::RuleState state{prepared.config, prepared.spec, prepared.params, nullptr,
                             rules::Verdicts(prepared.spec->advice)};
      state.verdicts.BeginStep(0, Mode::kGlobal);
      prepared.rule->Silence(waited, &state.verdicts);
      state.verdicts.EndStep([&](const rules::Finding& finding) { on_finding(state, finding); });
    }
  }

  bool told_any() const { return !told_.empty(); }

 private:
  std::vector<rules::PreparedRule>* rules_;
  std::set<std::string> told_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

Json FindingFields(const rules::RuleState& rule, const rules::Finding& finding) {
  Json fields = rules::ToJson(finding);
  fields["rule"] = rule.config.name;
  return fields;
}

// What is done about a finding.
void Handle(const WatchTask& task, const rules::RuleState& rule, const rules::Finding& finding) {
  task.events->Write("finding", FindingFields(rule, finding));
  task.alarms->Found(rule, finding);
}

// Judging began, or there was nothing to judge.
Watched Follow(WatchTask* task, const std::shared_ptr<trial::Trial>& trial, rules::Records* records,
               const std::function<bool()>& stop, Output* out) {
  auto engine = rules::Engine::Make(std::move(task->rules), trial, {});
  if (!engine.ok()) return {engine.status(), {}};
  LiveDisplay display(trial.get(), engine.value().get(), task->progress, out);
  Step told = -1;
  rules::WatcherEvents events;
  events.found = [&](const rules::RuleState& rule, const rules::Finding& finding) {
    display.Found(rule.config.name, finding);
    Handle(*task, rule, finding);
  };
  events.judged = [&] { task->alarms->Flush(); };
  events.moment = [&] {
    display.Moment();
    const Step step = engine.value()->last_step();
    if (step != std::exchange(told, step)) task->events->Write("step", {{"step", step}});
  };
  rules::Watcher watcher(trial.get(), engine.value().get(), records, std::move(events));
  Status status = watcher.Follow(stop);
  return {std::move(status), watcher.Reports(/*over=*/true)};
}

}  // namespace

Watched WatchRun(WatchTask task, const std::function<bool()>& stop, Output* out) {
  auto store = storage::OpenStore(task.job.run);
  if (!store.ok()) return {store.status(), {}};
  const std::string folder = rules::RecordsFolder(task.job.run);
  auto records = rules::Records::Open(folder);
  if (!records.ok()) return {records.status(), {}};
  if (task.alarms->wanted()) {
    const Status status = task.alarms->Start(task.job, folder, task.control);
    if (!status.ok()) return {status, {}};
  }
  std::vector<rules::RuleReport> reports = NotBegun(task.rules);
  records.value().Begin(reports);
  SilentStart silence(&task.rules);
  const auto stop_waiting = [&] {
    silence.Look([&](const rules::RuleState& rule, const rules::Finding& finding) {
      if (!records.value().Add(rule.config.name, finding)) return;
      out->Tell("! " + AlertText(rule.config.name, finding));
      Handle(task, rule, finding);
    });
    task.alarms->Flush();
    return stop();
  };
  auto trial = rules::WaitForRun(std::move(store.value()), stop_waiting);
  if (trial.ok()) return Follow(&task, trial.value(), &records.value(), stop, out);
  const Code code = trial.status().code();
  if (code != Code::kUnavailable && code != Code::kMissingCollectionFiles) {
    return {trial.status(), std::move(reports)};
  }
  // A program that trains nothing leaves no records.
  Status status;
  if (silence.told_any()) status = records.value().Write(&reports, /*last_step=*/-1);
  return {std::move(status), std::move(reports)};
}

}  // namespace warden::cli
