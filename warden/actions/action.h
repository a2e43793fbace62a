#ifndef WARDEN_ACTIONS_ACTION_H_
#define WARDEN_ACTIONS_ACTION_H_

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
  Attempt(Status result) : status(std::move(result)) {}  // NOLINT: implicit
  Attempt(Status result, std::chrono::milliseconds wait)
      : status(std::move(result)), wait_at_least(wait) {}

  // kUnavailable: trying again later may help. Any other error is final.
  Status status;
  // The server asked to wait this long.
  std::chrono::milliseconds wait_at_least{0};
};

// An action on a firing.
class Action {
 public:
  virtual ~Action() = default;
  // Tries once; takes seconds at most, or as long as the user allowed. Once stop is requested it
  // returns soon, with kUnavailable if it was not done. Messages hold no secrets. May be called
  // from any thread, by one at a time.
  virtual Attempt Run(const Firing& firing, const std::stop_token& stop) = 0;
};

// The jobs that can be stopped; implemented by whoever started them. Safe for many threads.
class JobControl {
 public:
  virtual ~JobControl() = default;
  virtual std::vector<std::string> RunningJobs() = 0;
  // Returns when it has ended. Stopping a job that has already ended is not an error.
  virtual Status Stop(const std::string& job, std::string_view reason) = 0;
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ACTION_H_
