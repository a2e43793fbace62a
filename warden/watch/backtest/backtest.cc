#include "warden/watch/backtest/backtest.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "warden/base/json.h"
#include "warden/format/profiler_layout.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/records.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"
#include "warden/watch/evaluation.h"
#include "warden/watch/watch_listener.h"

namespace warden::watch {
namespace {

using rules::RuleConfig;
using rules::RuleReport;
using rules::RuleStatus;

// The rules of one run, the varied ones behind the others.
Result<std::vector<RuleConfig>> ConfigsFor(const BacktestTask& task, const trial::Trial* trial) {
  // Whoever tries values and names no rules wants to know about these alone.
  auto configs = ChooseRules(task.rules, task.vary.empty() ? "default" : "none", trial);
  if (!configs.ok()) return configs.status();
  std::vector<RuleConfig> varied;
  for (const Variation& variation : task.vary) {
    const auto some = VariedRules(variation, configs.value());
    varied.insert(varied.end(), some.begin(), some.end());
  }
  configs.value().insert(configs.value().end(), varied.begin(), varied.end());
  return configs;
}

// Checks the rules without a run.
Status CheckRules(const BacktestTask& task) {
  auto configs = ConfigsFor(task, nullptr);
  if (!configs.ok()) return configs.status();
  std::vector<std::string> notices;
  return rules::PrepareRules(std::move(configs.value()), &notices).status();
}

Result<std::vector<RuleReport>> Replay(const std::string& run, const BacktestTask& task) {
  auto store = storage::OpenStore(run);
  if (!store.ok()) return store.status();
  auto opened = trial::Trial::Open(std::move(store.value()), trial::LookOptions());
  if (!opened.ok()) return opened.status();
  const std::shared_ptr<trial::Trial> trial = std::move(opened.value());
  auto configs = ConfigsFor(task, trial.get());
  if (!configs.ok()) return configs.status();
  std::vector<std::string> notices;
  auto prepared = rules::PrepareRules(std::move(configs.value()), &notices);
  if (!prepared.ok()) return prepared.status();
  EvalTask evaluation{run, std::move(prepared.value()), trial};
  const std::string profiler = format::ProfilerFolder(run);
  std::error_code error;
  if (std::filesystem::is_directory(profiler, error)) evaluation.profiler = profiler;
  WatchListener listener;
  Watched watched = EvaluateRun(std::move(evaluation), &listener);
  if (!watched.status.ok()) return watched.status;
  return std::move(watched.reports);
}

// One run with what the rules say of it.
struct ReplayedRun {
  BacktestedRun run;
  std::vector<RuleReport> reports;
};

ReplayedRun ReplayLabeled(const std::string& run, const BacktestTask& task) {
  ReplayedRun replayed;
  replayed.run.run = run;
  auto label = trial::ReadRunLabel(run);
  if (!label.ok()) {
    replayed.run.status = label.status();
    return replayed;
  }
  replayed.run.label = std::move(label.value());
  if (!replayed.run.label) return replayed;
  if (task.recorded) {
    replayed.reports = rules::ReadRecordedReports(run);
    if (replayed.reports.empty()) {
      replayed.run.status = Status(Code::kNotFound, "no rules are on record");
    }
    return replayed;
  }
  auto reports = Replay(run, task);
  if (reports.ok()) {
    replayed.reports = std::move(reports.value());
  } else {
    replayed.run.status = reports.status();
  }
  return replayed;
}

std::vector<ReplayedRun> ReplayAll(const BacktestTask& task, const BacktestProgress& progress) {
  const size_t total = task.runs.size();
  std::vector<ReplayedRun> replayed(total);
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  size_t done = 0;
  const auto work = [&] {
    for (size_t i = next++; i < total; i = next++) {
      replayed[i] = ReplayLabeled(task.runs[i], task);
      const std::scoped_lock lock(mutex);
      ++done;
      changed.notify_one();
    }
  };
  std::vector<std::thread> threads;
  const size_t cores = std::max<size_t>(1, std::thread::hardware_concurrency());
  for (size_t i = 0; i < std::min(cores, total); ++i) threads.emplace_back(work);
  {
    std::unique_lock lock(mutex);
    while (done < total) {
      if (progress) progress(done, total);
      changed.wait_for(lock, std::chrono::milliseconds(200));
    }
  }
  for (std::thread& thread : threads) thread.join();
  return replayed;
}

std::vector<const rules::Finding*> PointersTo(const std::vector<rules::Finding>& findings) {
  std::vector<const rules::Finding*> pointers;
  for (const rules::Finding& finding : findings) pointers.push_back(&finding);
  return pointers;
}

// Counts runs, one after the other.
class Counter {
 public:
  explicit Counter(const std::vector<Variation>& vary) {
    for (const Variation& variation : vary) {
      // Names are those of VariedRules, whatever rules a run has.
      for (const std::string& value : variation.values) {
        values_.push_back(
            {fmt::format(" {}={}", variation.parameter, value), variation.parameter, value});
      }
    }
  }

  void Add(ReplayedRun replayed) {
    BacktestedRun& run = replayed.run;
    if (run.label && run.status.ok()) Count(replayed.reports, &run);
    result_.runs.push_back(std::move(run));
  }
  BacktestResult Take() { return std::move(result_); }

 private:
  struct TriedValue {
    std::string suffix;  // Of the rule's name.
    std::string parameter;
    std::string value;
  };

  void Count(const std::vector<RuleReport>& reports, BacktestedRun* run) {
    std::vector<const rules::Finding*> all;
    for (const RuleReport& report : reports) {
      RuleScore& score = ScoreOf(report);
      const bool evaluated =
          report.status == RuleStatus::kNoIssuesFound || report.status == RuleStatus::kIssuesFound;
      if (!evaluated) {
        ++score.not_evaluated;
        continue;
      }
      const auto findings = PointersTo(report.findings);
      const RunOutcome outcome = OutcomeOf(*run->label, findings);
      score.score.Add(*run->label, outcome);
      if (!score.parameter.empty() || report.shadow) continue;
      if (outcome.step) run->alarms.emplace_back(*outcome.step, report.name);
      all.insert(all.end(), findings.begin(), findings.end());
    }
    std::sort(run->alarms.begin(), run->alarms.end());
    run->outcome = OutcomeOf(*run->label, all);
    result_.total.Add(*run->label, run->outcome);
  }

  RuleScore& ScoreOf(const RuleReport& report) {
    RuleScore score;
    score.name = report.name;
    score.rule = report.rule;
    score.shadow = report.shadow;
    for (const TriedValue& tried : values_) {
      if (!report.name.ends_with(tried.suffix)) continue;
      score.name.resize(score.name.size() - tried.suffix.size());
      score.parameter = tried.parameter;
      score.value = tried.value;
      break;
    }
    auto& list = score.parameter.empty() ? result_.rules : result_.varied;
    const auto found = std::find_if(list.begin(), list.end(), [&](const RuleScore& one) {
      return one.name == score.name && one.shadow == score.shadow &&
             one.parameter == score.parameter && one.value == score.value;
    });
    return found != list.end() ? *found : list.emplace_back(std::move(score));
  }

  std::vector<TriedValue> values_;
  BacktestResult result_;
};

Json ScoreJson(const RuleScore& rule) {
  Json json = {{"name", rule.name}, {"rule", rule.rule}};
  if (!rule.parameter.empty()) {
    json["parameter"] = rule.parameter;
    json["value"] = rule.value;
  }
  json["shadow"] = rule.shadow;
  json["not_evaluated"] = rule.not_evaluated;
  json.update(ToJson(rule.score));
  return json;
}

Json RunJson(const BacktestedRun& run) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  Json alarms = Json::array();
  for (const auto& [step, rule] : run.alarms) alarms.push_back({{"rule", rule}, {"step", step}});
  return {{"run", run.run},
          {"label", run.label ? Json(run.label->name()) : Json()},
          {"since", run.label ? or_null(run.label->since) : Json()},
          {"error", run.status.ok() ? Json() : Json(run.status.message())},
          {"found", run.outcome.found},
          {"false_alarm", run.outcome.false_alarm},
          {"step", or_null(run.outcome.step)},
          {"delay", or_null(run.outcome.delay)},
          {"alarms", std::move(alarms)}};
}

}  // namespace

Result<BacktestResult> Backtest(const BacktestTask& task, const BacktestProgress& progress) {
  if (!task.recorded) {
    if (Status status = CheckRules(task); !status.ok()) return status;
  }
  Counter counter(task.vary);
  for (ReplayedRun& replayed : ReplayAll(task, progress)) counter.Add(std::move(replayed));
  return counter.Take();
}

Json ToJson(const BacktestResult& result) {
  const auto list = [](const auto& items, auto convert) {
    Json json = Json::array();
    for (const auto& item : items) json.push_back(convert(item));
    return json;
  };
  return {{"runs", list(result.runs, RunJson)},
          {"rules", list(result.rules, ScoreJson)},
          {"varied", list(result.varied, ScoreJson)},
          {"total", ToJson(result.total)}};
}

}  // namespace warden::watch
