#ifndef WARDEN_ACTIONS_ACTION_H_
#define WARDEN_ACTIONS_ACTION_H_

// The interface of everything that is done about a finding: Action, and JobControl for the one
// action that stops trainings. Actions are made by ActionMaker (or the New... functions of this
// folder) and run by Dispatcher, which repeats attempts that failed for the moment.

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/actions/event.h"
#include "warden/base/status.h"

namespace warden::actions {

// The result of one attempt.
struct Attempt {
  // A Status converts to an Attempt, so that an action can simply return its result.
  Attempt(Status result) : status(std::move(result)) {}  // NOLINT: implicit
  Attempt(Status result, std::chrono::milliseconds wait)
      : status(std::move(result)), wait_at_least(wait) {}

  // Ok: done. kUnavailable: trying again later may help. Any other error is final: the action is
  // given up.
  Status status;
  // The server asked to wait this long before the next attempt (HTTP's Retry-After); 0 if it did
  // not. Of use only with kUnavailable.
  std::chrono::milliseconds wait_at_least{0};
};

// An action on a firing. An implementation holds its configuration and nothing about firings, so
// that one object may serve any number of them. Example:
//
//   class Beep : public Action {
//     Attempt Run(const Firing& firing, const std::stop_token&) override {
//       return Ring() ? Status() : Status(Code::kUnavailable, "the bell is busy");
//     }
//   };
class Action {
 public:
  virtual ~Action() = default;
  // Tries once; takes seconds at most, or as long as the user allowed (ExecConfig::timeout). Once
  // stop is requested it returns soon, with kUnavailable if it was not done; only the action that
  // stops a training finishes first. Messages hold no secrets: they are logged and written to the
  // journal. May be called from any thread, by one at a time.
  virtual Attempt Run(const Firing& firing, const std::stop_token& stop) = 0;
};

// The jobs that can be stopped; implemented by whoever started them: the service for its jobs,
// `watch` for the trainings of this machine. Safe for many threads.
class JobControl {
 public:
  virtual ~JobControl() = default;
  // The names of the jobs that are running now, in no order. Empty if they cannot be listed.
  virtual std::vector<std::string> RunningJobs() = 0;
  // Stops a job, or records that it is to be stopped and leaves the rest to those who run it; may
  // take as long as the grace period. reason is one line for the log. kUnavailable: may work later.
  // kNotFound: an implementation that stops processes directly found no single job of this name.
  virtual Status Stop(const std::string& job, std::string_view reason) = 0;
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ACTION_H_
