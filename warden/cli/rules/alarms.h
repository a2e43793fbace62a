#ifndef WARDEN_CLI_RULES_ALARMS_H_
#define WARDEN_CLI_RULES_ALARMS_H_

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "warden/actions/action_config.h"
#include "warden/actions/action_maker.h"
#include "warden/actions/dispatcher.h"
#include "warden/actions/settings.h"
#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/cli/output.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/finding.h"

namespace warden::cli {

// What the user wants done when a rule finds a problem.
struct AlarmFlags {
  std::string stop_on;              // Names of rules with commas, or "any".
  std::vector<std::string> notify;  // "email:a@b.com", ...
  std::string actions_file;         // How to deliver.
};

// --stop-on, --notify and --actions-file.
void DefineAlarmFlags(Command* command, AlarmFlags* flags);

// The job that is watched.
struct WatchedJob {
  std::string name;
  std::string launch;  // Differs from that of an earlier job with the same name.
  std::string run;     // Its folder.
};

// The actions of all rules: those of the flags and those of the rules' own configurations.
class Alarms {
 public:
  // kInvalid: a flag, an action or a setting that is not accepted, found before anything starts.
  static Result<Alarms> Make(const AlarmFlags& flags,
                             const std::vector<rules::PreparedRule>& rules);

  bool wanted() const { return !actions_.empty(); }
  // Between asking a training to stop and killing it.
  std::chrono::milliseconds grace() const { return settings_.grace; }
  // Begins to deliver, including what an earlier watcher of the same run left undone. control
  // outlives this.
  Status Start(WatchedJob job, const std::string& records_folder, actions::JobControl* control);
  // People get one message for all findings of a rule at a step, when Flush is called; every other
  // action runs at once for each finding.
  void Found(const rules::RuleState& rule, const rules::Finding& finding);
  void Flush();
  // Waits a while for deliveries in progress and tells which failed.
  void Finish(Output* out);
  // The first rule that asked for the training to be stopped; empty: none did.
  const std::string& stopped_by() const { return stopped_by_; }

 private:
  std::map<std::string, std::vector<actions::ActionConfig>> actions_;  // By the rule's name.
  actions::Settings settings_;
  WatchedJob job_;
  std::set<std::string> stopped_;  // By prefix: a job is stopped once, whatever else is found.
  std::string stopped_by_;
  struct Message {
    actions::Firing firing;
    std::vector<actions::ActionConfig> actions;
    int more = 0;  // Other findings at the same step.
  };
  std::vector<Message> messages_;
  std::unique_ptr<actions::ActionMaker> maker_;  // Outlives what it made.
  std::unique_ptr<actions::Dispatcher> dispatcher_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_ALARMS_H_
