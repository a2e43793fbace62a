#ifndef WARDEN_WATCH_ALARMS_H_
#define WARDEN_WATCH_ALARMS_H_

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "warden/actions/action_config.h"
#include "warden/actions/action_maker.h"
#include "warden/actions/finding_actions.h"
#include "warden/actions/settings.h"
#include "warden/base/status.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/finding.h"
#include "warden/rules/severity.h"
#include "warden/watch/local/watched_job.h"
#include "warden/watch/summary/incidents.h"
#include "warden/watch/watch_listener.h"

namespace warden::watch {

// What is to be done about findings, besides what the rules' own configurations ask for.
struct AlarmOptions {
  std::vector<actions::ActionConfig> notify;  // For every rule.
  // Rules, by any of their names, that stop the training, whatever their findings are like.
  std::vector<std::string> stop_on;
  // Findings of any rule that stop the training: these and worse ones; nothing: none.
  std::optional<rules::Severity> stop_at;
  std::string settings_file;  // How to deliver; empty: as the environment says.
};

// Whether the rule has this name: its own, that of its kind, or the one it was asked for by.
bool HasName(const rules::PreparedRule& rule, const std::string& name);

// The actions of all rules of a run on this machine: those of the options and those of the rules'
// own configurations. Shadow rules have none. Can be moved. For one thread.
class Alarms {
 public:
  // kInvalid: an action or a setting that is not accepted, found before anything starts.
  static Result<Alarms> Make(const AlarmOptions& options,
                             const std::vector<rules::PreparedRule>& rules);

  bool wanted() const { return !actions_.empty(); }
  // Between asking a training to stop and killing it.
  std::chrono::milliseconds grace() const { return settings_.grace; }
  // Begins to deliver, including what an earlier watcher of the same run left undone. control
  // outlives this.
  Status Start(WatchedJob job, const std::string& records_folder, actions::JobControl* control);
  // Stops and metrics run at once for each finding. Messages wait for Flush.
  void Found(const rules::RuleState& rule, const rules::Finding& finding);
  // A finding that an earlier watcher has acted on, found again.
  void Known(const rules::RuleState& rule, const rules::Finding& finding);
  // One message for each incident that has begun. A finding that joins an incident of which the
  // receiver has been told sends none, even if it turns out to be the cause. machine: as for
  // FindIncidents.
  void Flush(const rules::Engine& engine, MachineLog* machine);
  // Waits a while for deliveries in progress and tells which failed.
  void Finish(WatchListener* listener);
  // The first rule that asked for the training to be stopped; empty: none did.
  const std::string& stopped_by() const { return acting_.stopped_by(); }

 private:
  Alarms() = default;

  // What the rules of the new findings of an incident want to be sent, each once, by its JSON.
  std::map<std::string, actions::ActionConfig> MessagesFor(const Incident& incident) const;
  actions::Firing FiringOf(const Incident& incident) const;

  std::map<std::string, std::vector<actions::ActionConfig>> actions_;  // By the rule's name.
  actions::Settings settings_;
  WatchedJob job_;
  std::unique_ptr<actions::ActionMaker> maker_;       // Outlives what it made.
  std::set<FindingKey> new_;                          // Since the last Flush.
  std::set<FindingKey> known_;                        // To an earlier watcher.
  std::map<std::string, std::set<FindingKey>> told_;  // To whom, by the action's JSON.
  actions::FindingActions acting_{actions::FindingActions::MoreStyle::kInParentheses};
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_ALARMS_H_
