#ifndef WARDEN_WATCH_EVALUATION_H_
#define WARDEN_WATCH_EVALUATION_H_

// Rules on one run, from opening them to their results: WatchRun follows a run that is written,
// EvaluateRun checks one that is finished. Both keep the records and reports in its rule-output.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/base/status.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/report.h"
#include "warden/trial/trial.h"
#include "warden/watch/alarms.h"
#include "warden/watch/local/watched_job.h"
#include "warden/watch/summary/machine_log.h"
#include "warden/watch/watch_listener.h"

namespace warden::watch {

// What to watch, and what to do with the findings. alarms and control are not owned and outlive the
// call; alarms is not null. Rules are used up.
struct WatchTask {
  WatchedJob job;
  std::vector<rules::PreparedRule> rules;
  Alarms* alarms = nullptr;
  actions::JobControl* control = nullptr;
  std::string profiler = {};    // The profiler's folder; empty: there is none.
  bool report = false;          // Write the profiling report, and keep it up to date.
  std::string command = {};     // The training command, for the report.
  bool only_stop_ends = false;  // The run is over when `stop` says so, whatever its files say.
  bool xgboost_report = false;  // Write the report of an XGBoost training, if it is one.
};

// How it ended. Where evaluation could begin, WatchRun returns the reports of all rules even if the
// status is not ok: of what was evaluated before.
struct Watched {
  Status status;  // Not ok: evaluation could not begin or continue.
  std::vector<rules::RuleReport> reports;
  std::string report_page = {};   // The profiling report; empty: there is none.
  std::string xgboost_page = {};  // The XGBoost report; empty: there is none.
  Step last_step = -1;            // The last one that was evaluated; -1: none.
  std::optional<int> gpus = {};   // That the profile shows; nothing: there is no profile.
  // What the machines did, for incidents; null if evaluation could not begin.
  std::shared_ptr<MachineLog> machine = {};
};

// Evaluates the run from its first step to its end, or until `stop` says so. The alarms are started
// but not finished. Safe on another thread, as long as nobody else uses the listener. Blocks until
// then. The run's folder need not exist yet. Errors of it are in Watched::status: records that
// cannot be opened, actions that cannot be started, rules that do not fit the run, or a run that
// cannot be listed. A report that cannot be written is a problem for the listener, no more.
Watched WatchRun(WatchTask task, const std::function<bool()>& stop, WatchListener* listener);

// A finished run, and what to write. Without `record` nothing is written to the run's folder but
// the XGBoost report.
struct EvalTask {
  std::string run;
  std::vector<rules::PreparedRule> rules;
  std::shared_ptr<trial::Trial> trial;  // Null: no tensors were saved.
  std::string profiler = {};            // The profiler's folder; empty: there is none.
  bool record = false;                  // Write records.
  bool xgboost_report = false;          // Write the report of an XGBoost training, if it is one.
};

// Evaluates all that is there now; no actions run.
Watched EvaluateRun(EvalTask task, WatchListener* listener);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_EVALUATION_H_
