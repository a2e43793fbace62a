#include "warden/watch/task/rule_task.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "warden/base/time.h"
#include "warden/config/json_fields.h"
#include "warden/format/layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/watcher.h"
#include "warden/storage/store.h"
#include "warden/timeline/feed/profile_feed.h"
#include "warden/watch/report/live_profiler_report.h"
#include "warden/watch/report/live_xgboost_report.h"

namespace warden::watch {
namespace {

namespace fs = std::filesystem;

constexpr char kNoData[] =
    "ClientError: No debugging data was saved by the training job. Check that the debugger hook "
    "was configured correctly before starting the training job.";

RuleVerdict Failed(std::string_view whose, const Status& status, Step step = -1) {
  return {"Error", fmt::format("{}: {}", whose, status.message()), step};
}

// The folder above the rule's output: where the rules of one job share a folder, that one.
std::string RecordsOf(const RuleTask& task) {
  const fs::path output(task.output);
  return (output.filename() == task.config.name ? output.parent_path() : output).string();
}

// Records may be left from an earlier job of the same name, or from an earlier process for this
// rule: evaluation is repeatable, and whoever acts on findings knows those already handled.
void ForgetRecords(const RuleTask& task) {
  std::error_code error;
  for (const char* file : {"status.json", "firings.jsonl"}) {
    fs::remove(fs::path(RecordsOf(task)) / task.config.name / file, error);
  }
}

// The job's runner writes the marker into the folder that the rule reads. Without a folder nothing
// will come.
bool IsMarkedAsOver(const std::string& folder, std::string_view marker) {
  std::error_code error;
  return folder.empty() || fs::exists(fs::path(folder) / marker, error);
}

// Evaluates one rule.
class TaskEvaluation {
 public:
  TaskEvaluation(const RuleTask& task, RuleListener* listener) : task_(task), listener_(listener) {}

  RuleVerdict Run() {
    std::vector<std::string> notices;
    auto ready = rules::PrepareRules({task_.config}, &notices);
    for (const std::string& notice : notices) listener_->Notice(notice);
    if (!ready.ok()) return Failed("ClientError", ready.status());
    spec_ = ready.value().front().spec;
    reports_ = spec_->kind == rules::RuleKind::kReport;
    rules::EngineOptions options;
    options.stop_at_first_finding = !reports_;
    auto engine = rules::Engine::Make(std::move(ready).value(), nullptr, options);
    if (!engine.ok()) return Failed("ClientError", engine.status());
    engine_ = std::move(engine).value();
    profiles_ = engine_->rules().front().profiler != nullptr;
    if (profiles_) engine_->SetProfile(timeline::OpenProfileFeed(task_.profiler));
    return Follow();
  }

 private:
  RuleVerdict Follow() {
    ForgetRecords(task_);
    auto records = rules::Records::Open(RecordsOf(task_));
    if (!records.ok()) return Failed("InternalServerError", records.status());
    auto open = Opener();
    if (!open.ok()) return Failed("InternalServerError", open.status());
    const ReportJob job{task_.job, task_.run, ""};
    LiveReport report = profiles_ ? LiveProfilerReport(engine_.get(), task_.output, job)
                                  : LiveXgboostReport(engine_.get(), task_.output, job);
    rules::WatcherEvents events;
    events.found = [this](const auto& rule, const auto& finding) { Found(rule, finding); };
    events.evaluated = [this] { PassOnFound(); };
    events.moment = [&] {
      if (reports_) report.Moment();
      listener_->Moment(engine_->last_step());
    };
    rules::Watcher watcher(engine_.get(), &records.value(), std::move(events));
    const Status status =
        watcher.Follow(open.value(), [this] { return IsOver(); }, /*only_stop_ends=*/true);
    // Also of a rule that is stopped: nobody would update the page any more.
    if (reports_) {
      const auto page = report.Finish();
      if (!page.ok()) listener_->Notice(page.status().message());
    }
    if (listener_->IsToStop()) return {"Stopped", "", engine_->last_step()};
    if (!status.ok()) return Failed("ClientError", status, engine_->last_step());
    const auto reports = watcher.Reports(/*over=*/true);
    listener_->Evaluated(task_, reports);
    return VerdictOf(reports.front());
  }

  Result<rules::OpenTrial> Opener() {
    if (profiles_ || task_.run.empty()) {
      return rules::OpenTrial([]() -> Result<std::shared_ptr<trial::Trial>> {
        return Status(Code::kMissingCollectionFiles, "no tensors are saved");
      });
    }
    std::error_code error;
    fs::create_directories(task_.run, error);
    auto store = storage::OpenStore(task_.run);
    if (!store.ok()) return store.status();
    return rules::OpenerOf(std::move(store).value(), [this] { return IsOver(); });
  }

  // What was saved before the end marker is still evaluated after this.
  bool IsOver() const {
    if (listener_->IsToStop() || engine_->rules().front().finished) return true;
    return profiles_ ? IsMarkedAsOver(task_.profiler, format::kSystemEnd)
                     : IsMarkedAsOver(task_.run, format::kEndMarker);
  }

  void Found(const rules::RuleState& rule, const rules::Finding& finding) {
    found_.push_back({task_.job, task_.launch, task_.run, task_.config.name,
                      std::string(rule.spec->name), Now(), finding});
  }

  void PassOnFound() {
    if (!found_.empty()) listener_->Found(std::exchange(found_, {}));
  }

  RuleVerdict VerdictOf(const rules::RuleReport& report) const {
    const Step step = engine_->last_step();
    using Status = rules::RuleStatus;
    if (report.status == Status::kIssuesFound) {
      const Step at = profiles_ ? 0 : report.findings.front().step;
      return {"IssuesFound",
              fmt::format("RuleEvaluationConditionMet: Evaluation of the rule {} at step {} "
                          "resulted in the condition being met\n",
                          task_.config.rule, at),
              step};
    }
    if (report.status == Status::kError) {
      const char* whose = task_.config.source.empty() ? "InternalServerError" : "ClientError";
      return {"Error", fmt::format("{}: {}", whose, report.reason), step};
    }
    if (!profiles_ && engine_->trial() == nullptr) return {"Error", kNoData, step};
    // The API has no other status for a rule that has checked nothing.
    const bool checked = report.status != Status::kNotEvaluated;
    return {"NoIssuesFound", checked ? "" : "Not evaluated: " + report.reason, step};
  }

  const RuleTask& task_;
  RuleListener* const listener_;
  const rules::RuleSpec* spec_ = nullptr;
  bool reports_ = false;   // Writes a report of the whole run.
  bool profiles_ = false;  // Looks at what the profiler saved, not at tensors.
  std::unique_ptr<rules::Engine> engine_;
  std::vector<actions::Firing> found_;
};

}  // namespace

Result<RuleTask> RuleTask::FromJson(const Json& spec) {
  RuleTask task;
  std::string kind;
  config::Fields fields(spec);
  fields.Read("job", &task.job);
  fields.Read("launch", &task.launch);
  fields.Read("kind", &kind);
  fields.Read("run", &task.run);
  fields.Read("profiler", &task.profiler);
  fields.Read("output", &task.output);
  fields.Read("log", &task.log);
  fields.Read("warning", &task.warning);
  std::optional<int64_t> file_bytes, files;
  fields.Read("file_bytes", &file_bytes);
  fields.Read("files", &files);
  if (!fields.status().ok()) return Status(Code::kCorrupt, fields.status().message());
  task.debug = kind != "profiler";
  task.file_bytes = static_cast<uint64_t>(file_bytes.value_or(1 << 20));
  task.files = static_cast<int>(files.value_or(1));
  const Json* rule = spec.is_object() ? config::Member(spec, "rule") : nullptr;
  if (rule == nullptr || task.output.empty()) {
    return Status(Code::kCorrupt, "'rule' and 'output' are missing");
  }
  auto configs = rules::RuleConfigsFromJson(Json::array({*rule}));
  if (!configs.ok()) return configs.status();
  task.config = std::move(configs.value().front());
  if (!task.debug && !task.config.source.empty()) {
    task.config.profile = task.profiler;
    task.config.profile_output = task.output;
  }
  // The service acts on findings, not this process.
  task.config.action_json.clear();
  return task;
}

RuleVerdict EvaluateByRule(const RuleTask& task, RuleListener* listener) {
  return TaskEvaluation(task, listener).Run();
}

}  // namespace warden::watch
