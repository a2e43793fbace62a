#ifndef WARDEN_WATCH_BACKTEST_BACKTEST_H_
#define WARDEN_WATCH_BACKTEST_BACKTEST_H_

// How good rules are: replays them over stored runs that people have labeled. Behind
// `warden backtest`.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/trial/run_label.h"
#include "warden/watch/backtest/score.h"
#include "warden/watch/backtest/variation.h"
#include "warden/watch/rule_choice.h"

namespace warden::watch {

struct BacktestTask {
  std::vector<std::string> runs;  // Folders.
  RuleFlags rules;
  std::vector<Variation> vary;
  bool recorded = false;  // What rules, also shadow rules, have on record, instead of a replay.
};

// How a rule did in all runs that it could be evaluated in.
struct RuleScore {
  std::string name;       // RuleConfig::name, without the value that is tried.
  std::string rule;       // RuleSpec::name.
  std::string parameter;  // That is varied; empty: none is.
  std::string value;      // Of that parameter.
  bool shadow = false;    // Recorded by a shadow rule.
  Score score;
  int64_t not_evaluated = 0;  // Runs in which it had nothing to check, or failed.
};

// What happened in one run.
struct BacktestedRun {
  std::string run;
  std::optional<trial::RunLabel> label;  // Nothing: it does not count.
  Status status;                         // Why it could not be read; it does not count.
  RunOutcome outcome;                    // Of all rules that act.
  // The rules that found something, with the step of their first finding; earliest first.
  std::vector<std::pair<Step, std::string>> alarms;
};

struct BacktestResult {
  std::vector<BacktestedRun> runs;  // In the order of the task.
  std::vector<RuleScore> rules;     // In the order in which they were requested.
  std::vector<RuleScore> varied;    // One for each value, in the order of the task.
  // A fault counts as found if any rule found it. Without varied values and shadow rules.
  Score total;
};

// Called now and then, on the thread of the caller.
using BacktestProgress = std::function<void(size_t done, size_t total)>;

// Evaluates all labeled runs, as many at a time as there are cores. A run that cannot be read has
// its error in the result. kInvalid for rules and variations that are not accepted, before anything
// is evaluated.
Result<BacktestResult> Backtest(const BacktestTask& task, const BacktestProgress& progress);

// {"runs": [{"run", "label", "since", "error", "found", "false_alarm", "step", "delay",
// "alarms"}], "rules": [{"name", "rule", "shadow", "not_evaluated", ...score}], "varied": [{...,
// "parameter", "value"}], "total": score}.
Json ToJson(const BacktestResult& result);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_BACKTEST_BACKTEST_H_
