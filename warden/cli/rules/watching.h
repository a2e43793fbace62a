#ifndef WARDEN_CLI_RULES_WATCHING_H_
#define WARDEN_CLI_RULES_WATCHING_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/base/status.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/alarms.h"
#include "warden/cli/rules/live_display.h"
#include "warden/rules/engine.h"
#include "warden/rules/report.h"

namespace warden::cli {

// What there is to watch, and what to do about what is found.
struct WatchTask {
  WatchedJob job;
  std::vector<rules::PreparedRule> rules;
  Alarms* alarms = nullptr;
  actions::JobControl* control = nullptr;
  RunEvents* events = nullptr;  // For other programs.
  LiveDisplay::Progress progress = LiveDisplay::Progress::kNone;
  std::string profiler = {};    // The profiler's folder; empty: there is none.
  bool report = false;          // Write the profiling report, and keep it up to date.
  std::string command = {};     // That trains, for the report.
  bool only_stop_ends = false;  // The run is over when `stop` says so, whatever its files say.
  bool xgboost_report = false;  // Write the report of an XGBoost training, if it is one.
};

// How it ended.
struct Watched {
  Status status;  // Not ok: judging could not begin, or could not go on.
  std::vector<rules::RuleReport> reports;
  std::string report_page = {};   // The profiling report; empty: there is none.
  std::string xgboost_page = {};  // The XGBoost report; empty: there is none.
};

// Judges the run from its first step to its end, or until `stop` says so; keeps records in its
// rule-output, and the reports beside them. Safe on a thread of its own, as long as nobody
// else uses `out`.
Watched WatchRun(WatchTask task, const std::function<bool()>& stop, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_WATCHING_H_
