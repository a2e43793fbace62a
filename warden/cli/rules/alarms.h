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
#include "warden/rules/engine.h"
#include "warden/rules/finding.h"

namespace warden::cli {

// What the user wants done when a rule finds something.
struct AlarmFlags {
  std::string stop_on;              // Names of rules with commas, or "any".
  std::vector<std::string> notify;  // "email:a@b.com", ...
  std::string actions_file;         // Where to deliver through.
};

// --stop-on, --notify and --actions-file.
void DefineAlarmFlags(Command* command, AlarmFlags* flags);

// The job that is watched.
struct WatchedJob {
  std::string name;
  std::string launch;  // Tells it from one of the same name before it.
  std::string run;     // Its folder.
};

// The actions of all rules: those of the flags and those of the rules' own configurations.
class Alarms {
 public:
  // kInvalid: a flag, an action or a setting that is not accepted, told before anything starts.
  static Result<Alarms> Make(const AlarmFlags& flags,
                             const std::vector<rules::PreparedRule>& rules);

  bool wanted() const { return !actions_.empty(); }
  // Between asking a program to end and ending it.
  std::chrono::milliseconds grace() const { return settings_.grace; }
  // Begins to deliver; what an earlier watcher of the same run left undone too. control outlives
  // it.
  Status Start(WatchedJob job, const std::string& records_folder, actions::JobControl* control);
  // People get one message for all that a rule finds at a step, when Flush is called; everything
  // else is told of each finding, at once.
  void Found(const rules::RuleState& rule, const rules::Finding& finding);
  void Flush();
  // Waits for what is on its way, not for ever, and tells what was not delivered.
  void Finish(Output* out);

 private:
  std::map<std::string, std::vector<actions::ActionConfig>> actions_;  // By the rule's name.
  actions::Settings settings_;
  WatchedJob job_;
  std::set<std::string> stopped_;  // By prefix: a job is stopped once, whatever else is found.
  struct Message {
    actions::Firing firing;
    std::vector<actions::ActionConfig> actions;
    int more = 0;  // Findings beside the one that it is about.
  };
  std::vector<Message> messages_;
  std::unique_ptr<actions::ActionMaker> maker_;  // Outlives what it made.
  std::unique_ptr<actions::Dispatcher> dispatcher_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_ALARMS_H_
