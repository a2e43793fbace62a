#ifndef WARDEN_CLI_RULES_LIVE_DISPLAY_H_
#define WARDEN_CLI_RULES_LIVE_DISPLAY_H_

#include <chrono>
#include <deque>
#include <set>
#include <string>
#include <utility>

#include "warden/cli/launch/run_events.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/terminal.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/finding.h"
#include "warden/watch/summary/incidents.h"
#include "warden/watch/watch_listener.h"

namespace warden::cli {

// What is shown while a run is evaluated. To a person: incidents as they begin and spread, errors,
// and how far it has come. To other programs: findings, incidents and steps as events. For one
// thread.
class LiveDisplay : public watch::WatchListener {
 public:
  enum class Progress {
    kLine,   // One line that replaces itself, on a terminal that nobody else writes to.
    kLines,  // A line now and then: others write to the terminal too, or it is not a terminal.
    kNone,
  };

  // every_finding: alerts for each rule and step, not only for incidents. The events and the output
  // outlive this.
  LiveDisplay(Progress progress, bool every_finding, RunEvents* events, Output* out);

  // A finding; shown with the others of its cause at the next Moment. Those of shadow rules are
  // events only.
  void Found(const rules::RuleState& rule, const rules::Finding& finding) override;
  // A finding of an earlier process. It has a line there, and so has what it belongs to.
  void Known(const rules::RuleState& rule, const rules::Finding& finding) override;
  // Shows waiting alerts and, when it is due, the progress.
  void Moment(const rules::Engine& engine, watch::MachineLog* machine) override;
  void Problem(const std::string& text) override;

 private:
  using Clock = std::chrono::steady_clock;

  void ShowAlerts(const rules::Engine& engine, watch::MachineLog* machine);
  void ShowIncident(const watch::Incident& incident);
  void ShowProgress(const rules::Engine& engine);
  std::string Line(const rules::Engine& engine) const;
  std::string RateText() const;

  const Progress progress_;
  const bool every_finding_;
  RunEvents* const events_;
  Output* const out_;
  const Terminal terminal_;  // Where alerts go.
  NewFindings waiting_;
  std::set<watch::FindingKey> new_;                       // The same.
  std::set<watch::FindingKey> shown_;                     // Belong to a group that has a line.
  std::deque<std::pair<Clock::time_point, Step>> marks_;  // Evaluated steps over time.
  Clock::time_point next_line_;
  Step told_ = -1;  // As an event.
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_LIVE_DISPLAY_H_
