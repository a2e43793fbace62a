#ifndef WARDEN_WATCH_BACKTEST_SCORE_H_
#define WARDEN_WATCH_BACKTEST_SCORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/types.h"
#include "warden/rules/finding.h"
#include "warden/trial/run_label.h"

namespace warden::watch {

// What one rule, or all together, did in one labeled run.
struct RunOutcome {
  bool found = false;              // In a bad run: reported the fault.
  bool false_alarm = false;        // Reported something in a good run, or before the fault began.
  std::optional<Step> step = {};   // Of the first finding.
  std::optional<Step> delay = {};  // From the beginning of the fault to its first finding.
};

// The findings of one rule, or of several, in a run with this label. A finding counts for the fault
// of a bad run if it begins at its first step or later; one that begins earlier is a false alarm.
RunOutcome OutcomeOf(const trial::RunLabel& label,
                     const std::vector<const rules::Finding*>& findings);

// Counts over runs.
struct Score {
  int64_t good = 0;  // Runs that were evaluated.
  int64_t bad = 0;
  int64_t found = 0;         // Bad runs whose fault was reported.
  int64_t false_alarms = 0;  // Runs with a false alarm, good or bad.
  std::vector<Step> delays;  // Of the faults that were found and whose beginning is known.

  void Add(const trial::RunLabel& label, const RunOutcome& outcome);
  int64_t missed() const { return bad - found; }
  // Share of alarms that are true; nothing without alarms.
  std::optional<double> precision() const;
  // Share of faults that were found; nothing without bad runs.
  std::optional<double> recall() const;
  std::optional<double> median_delay() const;
};

// {"runs", "good", "bad", "true_alarms", "false_alarms", "missed", "precision", "recall",
// "median_delay"}; the last three are null where they are not known.
Json ToJson(const Score& score);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_BACKTEST_SCORE_H_
