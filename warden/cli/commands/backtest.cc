#include "warden/watch/backtest/backtest.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/rule_flags.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/trial/find_runs.h"

namespace warden::cli {
namespace {

using watch::BacktestedRun;
using watch::BacktestResult;
using watch::RuleScore;
using watch::Score;

struct BacktestOptions {
  std::vector<std::string> runs;
  watch::RuleFlags rules;
  std::vector<std::string> vary;
  bool recorded = false;
  bool json = false;
  bool verbose = false;
};

// Folders of runs, each once.
Result<std::vector<std::string>> RunsToTest(const std::vector<std::string>& names) {
  std::vector<std::string> runs;
  for (const std::string& name : names) {
    const std::vector<std::string> found = trial::FindRuns(name);
    // Opening says what is wrong with the name.
    if (found.empty()) return OpenRun(name).status();
    for (const std::string& run : found) {
      if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(run);
    }
  }
  return runs;
}

Result<watch::BacktestTask> TaskFrom(const BacktestOptions& options) {
  watch::BacktestTask task;
  auto runs = RunsToTest(options.runs);
  if (!runs.ok()) return runs.status();
  task.runs = std::move(runs.value());
  task.rules = options.rules;
  task.recorded = options.recorded;
  for (const std::string& text : options.vary) {
    auto variation = watch::ParseVariation(text);
    if (!variation.ok()) return variation.status().WithContext("--vary");
    task.vary.push_back(std::move(variation.value()));
  }
  return task;
}

std::string PercentText(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f} %", 100 * *share) : "-";
}

std::vector<Column> ScoreColumns(std::vector<Column> first) {
  for (const char* title : {"RUNS", "TRUE", "FALSE", "MISSED", "PRECISION", "RECALL", "DELAY"}) {
    first.push_back({title, Align::kRight});
  }
  return first;
}

void AddScore(std::vector<Cell> cells, const Score& score, Table* table) {
  const auto delay = score.median_delay();
  cells.emplace_back(std::to_string(score.good + score.bad));
  cells.emplace_back(std::to_string(score.found));
  cells.emplace_back(std::to_string(score.false_alarms),
                     score.false_alarms > 0 ? Style::kBad : Style::kPlain);
  cells.emplace_back(std::to_string(score.missed()));
  cells.emplace_back(PercentText(score.precision()));
  cells.emplace_back(PercentText(score.recall()));
  cells.emplace_back(delay ? fmt::format("{:g}", *delay) : "-");
  table->Add(std::move(cells));
}

// Rules that never reported anything are only counted unless all are wanted.
void PrintRuleScores(const BacktestResult& result, bool all, Output* out) {
  Table table(ScoreColumns({{"RULE"}}));
  size_t silent = 0;
  for (const RuleScore& rule : result.rules) {
    if (!all && rule.score.found + rule.score.false_alarms == 0) {
      ++silent;
      continue;
    }
    AddScore({rule.shadow ? rule.name + " (shadow)" : rule.name}, rule.score, &table);
  }
  AddScore({Cell("All rules", Style::kBold)}, result.total, &table);
  table.Print(out);
  if (silent > 0) {
    out->Print("{} reported nothing; --verbose lists {}.\n", CountOf(silent, "more rule"),
               silent == 1 ? "it" : "them");
  }
}

void PrintVaried(const std::vector<RuleScore>& varied, Output* out) {
  if (varied.empty()) return;
  Table table(ScoreColumns({{"RULE"}, {"PARAMETER"}, {"VALUE", Align::kRight}}));
  for (const RuleScore& one : varied) {
    AddScore({one.name, one.parameter, one.value}, one.score, &table);
  }
  table.Print(out);
}

std::string AlarmsText(const BacktestedRun& run) {
  std::vector<std::string> alarms;
  for (const auto& [step, rule] : run.alarms) {
    alarms.push_back(fmt::format("{} at step {}", rule, step));
  }
  return Printable(fmt::format("{}", fmt::join(alarms, ", ")));
}

// A title and a line for each run, if there is any.
void PrintRuns(std::string_view title, const std::vector<std::string>& lines, Output* out) {
  if (lines.empty()) return;
  out->Print("\n{}\n", title);
  for (const std::string& line : lines) out->Print("  {}\n", line);
}

void PrintWrongRuns(const BacktestResult& result, Output* out) {
  std::vector<std::string> false_alarms, missed, unlabeled, unreadable;
  for (const BacktestedRun& run : result.runs) {
    const std::string name = Printable(run.run);
    if (!run.status.ok()) {
      unreadable.push_back(fmt::format("{}: {}", name, Printable(run.status.message())));
    } else if (!run.label) {
      unlabeled.push_back(name);
    } else if (run.outcome.false_alarm) {
      const auto since = run.label->since;
      false_alarms.push_back(fmt::format(
          "{}: {}{}", name, AlarmsText(run),
          since && !run.label->good ? fmt::format(" (fault since step {})", *since) : ""));
    }
    if (run.status.ok() && run.label && !run.label->good && !run.outcome.found) {
      missed.push_back(name);
    }
  }
  if (!result.rules.empty()) {
    PrintRuns("False alarms", false_alarms, out);
    PrintRuns("Missed", missed, out);
  }
  PrintRuns("Not labeled, not counted (warden label RUN good|bad)", unlabeled, out);
  PrintRuns("Not evaluated", unreadable, out);
}

void PrintBacktest(const BacktestResult& result, bool verbose, Output* out) {
  const Score& total = result.total;
  out->Print("{}: {} good, {} bad\n", CountOf(static_cast<uint64_t>(total.good + total.bad), "run"),
             total.good, total.bad);
  if (total.good + total.bad > 0) {
    out->Write("\n");
    if (!result.rules.empty()) PrintRuleScores(result, verbose, out);
    if (!result.rules.empty() && !result.varied.empty()) out->Write("\n");
    PrintVaried(result.varied, out);
  }
  PrintWrongRuns(result, out);
}

Result<int> RunBacktest(const BacktestOptions& options, Output* out) {
  const auto task = TaskFrom(options);
  if (!task.ok()) return task.status();
  const auto result = watch::Backtest(task.value(), [&](size_t done, size_t total) {
    out->ShowProgress([&] { return fmt::format("{} of {} runs", done, total); });
  });
  if (!result.ok()) return result.status();
  if (options.json) {
    out->PrintJson(watch::ToJson(result.value()));
  } else {
    PrintBacktest(result.value(), options.verbose, out);
  }
  const bool all_read = std::all_of(result.value().runs.begin(), result.value().runs.end(),
                                    [](const BacktestedRun& run) { return run.status.ok(); });
  return all_read ? kDone : kFailed;
}

void DefineBacktest(Command* command) {
  auto options = std::make_shared<BacktestOptions>();
  command->Positionals("RUN", &options->runs, "Folders of runs, or folders that contain runs");
  DefineRuleFlags(command, &options->rules);
  command->Texts("--vary", &options->vary,
                 "Values of a parameter to compare: RULE.parameter=a,b,c or LOW..HIGH:N; may be "
                 "repeated");
  command->Switch("--recorded", &options->recorded,
                  "Count what rules and shadow rules reported while the runs trained, instead of\n"
                  "replaying rules");
  for (const char* flag : {"--rules", "--rule", "--rules-file", "--vary"}) {
    command->Exclusive({"--recorded", flag});
  }
  command->Json(&options->json);
  command->Switch("-v,--verbose", &options->verbose, "Also list rules that reported nothing");
  command->Footer(
      "Replays rules over stored runs with labels ('warden label') and counts, by rule and in\n"
      "total: true alarms, false alarms and missed faults; the share of alarms that are true\n"
      "(precision), the share of faults that are found (recall), and the median delay in steps.\n"
      "A finding in a good run is a false alarm, and so is one before the step of --since.\n"
      "Writes nothing.\n\n"
      "Exit code: 0 done, 1 a run could not be read, 2 usage error.\n\n"
      "Examples:\n"
      "  warden backtest runs/\n"
      "  warden backtest --rules rules.json runs/\n"
      "  warden backtest --vary LossSpike.threshold=3,5,8 --vary GradientFlow.ratio=1e-5..1e-1 "
      "runs/");
  command->Runs(options, RunBacktest);
}

}  // namespace

CommandEntry BacktestRules() {
  return {"backtest", "Replay rules over labeled runs: true and false alarms", DefineBacktest};
}

}  // namespace warden::cli
