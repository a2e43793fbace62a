#ifndef WARDEN_CLI_RULES_WATCHING_H_
#define WARDEN_CLI_RULES_WATCHING_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/base/status.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/alarms.h"
#include "warden/cli/rules/live_display.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/report.h"

namespace warden::cli {

// What to watch, and what to do with the findings.
struct WatchTask {
  WatchedJob job;
  std::vector<rules::PreparedRule> rules;
  Alarms* alarms = nullptr;
  actions::JobControl* control = nullptr;
  RunEvents* events = nullptr;  // For other programs.
  LiveDisplay::Progress progress = LiveDisplay::Progress::kNone;
  std::string profiler = {};    // The profiler's folder; empty: there is none.
  bool report = false;          // Write the profiling report, and keep it up to date.
  std::string command = {};     // The training command, for the report.
  bool only_stop_ends = false;  // The run is over when `stop` says so, whatever its files say.
  bool xgboost_report = false;  // Write the report of an XGBoost training, if it is one.
};

// How it ended.
struct Watched {
  Status status;  // Not ok: evaluation could not begin or continue.
  std::vector<rules::RuleReport> reports;
  std::string report_page = {};   // The profiling report; empty: there is none.
  std::string xgboost_page = {};  // The XGBoost report; empty: there is none.
  Step last_step = -1;            // The last one that was evaluated; -1: none.
  std::optional<int> gpus = {};   // That the profile shows; nothing: there is no profile.
};

// Evaluates the run from its first step to its end, or until `stop` says so; keeps records and
// reports in its rule-output. Safe on another thread, as long as nobody else uses `out`.
Watched WatchRun(WatchTask task, const std::function<bool()>& stop, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_WATCHING_H_
