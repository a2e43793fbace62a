#ifndef WARDEN_ACTIONS_FINDING_ACTIONS_H_
#define WARDEN_ACTIONS_FINDING_ACTIONS_H_

#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "warden/actions/action_config.h"
#include "warden/actions/dispatcher.h"
#include "warden/actions/event.h"
#include "warden/base/status.h"

namespace warden::actions {

// Which actions run for which finding, and when: the policy in front of a dispatcher, the same for
// the command line and for the jobs of the service.
// - A job is stopped once, whatever else is found: the first stop with a prefix counts.
// - People (mail, SMS) get one message for all findings of a rule at a step.
// - Every other action runs at once, for each finding.
// - An action is not for findings that are less severe than it says.
// The dispatcher sees to it that each action of a finding runs once, also across restarts.
//
//   FindingActions acting(FindingActions::MoreStyle::kInParentheses);
//   Status status = acting.Open({.journal = folder + "/actions.jsonl"}, make);
//   acting.Found(firing, configs);   // As often as a rule finds something.
//   acting.Flush();                  // A step, or a batch of findings, is complete.
//   for (const Outcome& left : acting.Finish(std::chrono::seconds(20))) Report(left);
//
// Can be moved. For one thread.
class FindingActions {
 public:
  // How a message says what else was found at its step: "... (2 more findings at step 7)" or
  // "...; 2 more findings at step 7".
  enum class MoreStyle { kInParentheses, kAfterSemicolon };

  explicit FindingActions(MoreStyle style) : style_(style) {}

  // Begins to deliver, also what an earlier one left undone. Arguments and errors are those of
  // Dispatcher::Open. Can be called again after Finish.
  Status Open(DispatcherOptions options, Dispatcher::MakeAction make);
  bool is_open() const { return dispatcher_ != nullptr; }

  // A finding of a rule, and what is to be done about the findings of that rule. Nothing happens
  // unless this is open. Messages to people wait for Flush.
  void Found(const Firing& firing, std::span<const ActionConfig> wanted);
  // Submits messages about a finding that stands for others, whatever was sent before. Nothing
  // happens unless this is open.
  void Tell(const Firing& firing, std::span<const ActionConfig> messages);
  // Submits the messages to people. All that was found so far is in the journal then.
  void Flush();

  // As Dispatcher::WaitIdle. REQUIRES: is_open().
  bool WaitIdle(std::chrono::milliseconds timeout) { return dispatcher_->WaitIdle(timeout); }
  // Flushes, and closes the dispatcher; returns what Dispatcher::Finish does. Nothing if this is
  // not open.
  std::vector<Outcome> Finish(std::chrono::milliseconds timeout);

  // The first rule whose finding asked for a stop; empty: none did.
  const std::string& stopped_by() const { return stopped_by_; }

 private:
  struct Message {
    Firing firing;
    std::vector<ActionConfig> actions;
    int more = 0;  // Other findings at the same step.
  };

  void AddToMessages(const Firing& firing, std::vector<ActionConfig> actions);
  std::string MoreText(const Message& message) const;

  MoreStyle style_;
  std::set<std::string> stopped_;  // Prefixes.
  std::string stopped_by_;
  std::vector<Message> messages_;
  std::unique_ptr<Dispatcher> dispatcher_;
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_FINDING_ACTIONS_H_
