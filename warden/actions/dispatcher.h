#ifndef WARDEN_ACTIONS_DISPATCHER_H_
#define WARDEN_ACTIONS_DISPATCHER_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/journal.h"
#include "warden/actions/lane.h"

namespace warden::actions {

// The state of one action of one firing.
struct Outcome {
  enum class State { kQueued, kRetrying, kDone, kGaveUp };

  // What happened, and what is done about it: as submitted.
  Firing firing;
  ActionConfig action;
  State state = State::kQueued;
  // Attempts of this process, the last one included; those of earlier processes do not count.
  int attempts = 0;
  Status status;                          // Of the last attempt.
  std::chrono::milliseconds next_try{0};  // With kRetrying: how long it waits.
};

// "queued", "failed" (and to be tried again), "done", "gave_up": as in the journal.
std::string_view StateName(Outcome::State state);

// How a dispatcher works; the defaults suit everything but tests, except for the journal.
struct DispatcherOptions {
  // "rule-output/actions.jsonl" of the run. Empty: nothing outlives the process. Its folder is
  // created.
  std::string journal;
  // Between one attempt and the next; one more attempt than there are waits. A server that asks for
  // more time gets it, up to 10 minutes.
  std::vector<std::chrono::milliseconds> waits = {std::chrono::seconds(2), std::chrono::seconds(8),
                                                  std::chrono::seconds(30),
                                                  std::chrono::seconds(80)};
  // Called after each attempt that was not interrupted, from the two threads of the dispatcher,
  // perhaps at the same time. It may call Submit, but not WaitIdle or Finish.
  std::function<void(const Outcome&)> on_outcome = [](const Outcome&) {};
};

// Runs the actions when rules fire, each action of each firing once. Jobs are stopped on a separate
// thread: a slow mail server does not delay it.
//
// The journal records submitted actions and their results. A dispatcher that opens it later runs
// what was left undone, but nothing that was done or given up, even if it is submitted again: rules
// that evaluate a run again find the same. If the process dies between an action and its record,
// the action runs twice, with the same event id. If the journal cannot be written (a full disk),
// that is logged once and the actions run all the same.
//
// Safe for many threads, except that Finish and the destructor are for one. Example:
//
//   auto opened = Dispatcher::Open({.journal = run + "/rule-output/actions.jsonl"}, make);
//   if (!opened.ok()) return opened.status();
//   opened.value()->Submit(firing, configs);
//   for (const Outcome& left : opened.value()->Finish(std::chrono::seconds(20))) Report(left);
class Dispatcher {
 public:
  // Called once per attempt, from both threads of the dispatcher; usually ActionMaker::Make. An
  // error counts as the result of the attempt. Whatever it refers to outlives the dispatcher.
  using MakeAction = std::function<Result<std::unique_ptr<Action>>(const ActionConfig&)>;

  // kUnavailable if another process has the journal, kInvalid if it is not a regular file, kIo if
  // it cannot be opened or read. Begins with what was left undone, before it returns.
  static Result<std::unique_ptr<Dispatcher>> Open(DispatcherOptions options, MakeAction make);
  // As Finish with no time left.
  ~Dispatcher();

  // Returns at once: the actions are recorded and queued. Nothing happens for those that were
  // submitted before (the same event and the same configuration), nor after Finish. Copies what it
  // is given.
  void Submit(const Firing& firing, std::span<const ActionConfig> actions);

  // True once everything submitted so far is done or given up, false if that is not so in the given
  // time. Waiting for the next attempt is not idle. More may be submitted meanwhile and afterwards.
  bool WaitIdle(std::chrono::milliseconds timeout);

  // Waits up to the given time until all is done, interrupts the rest and returns everything that
  // was not done: given up, or left to the next process that opens the journal. Always waits for a
  // job that is being stopped. Afterwards nothing can be submitted.
  std::vector<Outcome> Finish(std::chrono::milliseconds timeout);

 private:
  using Task = std::shared_ptr<Outcome>;

  Dispatcher(DispatcherOptions options, MakeAction make);
  void Resume(const std::vector<Json>& lines);
  void Start(const std::string& id, const Task& task);
  std::optional<std::chrono::milliseconds> Try(const std::string& id, const Task& task,
                                               const std::stop_token& stop);
  // Sets the result, records it and reports it.
  void Record(const std::string& id, const Task& task, const Outcome& outcome);
  void Write(const Json& line);

  const DispatcherOptions options_;
  const MakeAction make_;
  std::mutex mutex_;
  std::unique_ptr<Journal> journal_;  // Under mutex_, as are the next three; null if there is none.
  std::map<std::string, Task> tasks_;  // All ever submitted, by id; those of the journal too.
  bool finished_ = false;
  bool journal_failed_ = false;
  Lane stops_;
  Lane deliveries_;
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_DISPATCHER_H_
