#ifndef WARDEN_RULES_WATCHER_H_
#define WARDEN_RULES_WATCHER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/engine.h"
#include "warden/rules/records.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Told of what happens, on the watcher's thread.
struct WatcherEvents {
  // A finding that is on record for the first time.
  std::function<void(const RuleState&, const Finding&)> found = [](const auto&, const auto&) {};
  // Steps were judged. What was found goes on record after this: what must not be lost, should we
  // be killed in between, is to be seen to now.
  std::function<void()> judged = [] {};
  // Something may have changed: a step was judged, or a moment has passed.
  std::function<void()> moment = [] {};
};

// Judges a run and keeps the records, to the end of the run. For one thread.
class Watcher {
 public:
  // All that is given outlives this.
  Watcher(trial::Trial* trial, Engine* engine, Records* records, WatcherEvents events);

  // Judges what is there by now.
  Status CatchUp();
  // Judges the run as it grows, by the store's notifications, until it has ended or `stop` says so
  // (asked several times a second).
  Status Follow(const std::function<bool()>& stop);

  // How things stand. After the run has ended, or been given up: `over`.
  std::vector<RuleReport> Reports(bool over);

 private:
  using Clock = std::chrono::steady_clock;

  void Found(const RuleState& rule, const Finding& finding);
  bool Advance();
  Status KeepRecords();
  void TellOfSilence();

  trial::Trial* trial_;
  Engine* engine_;
  Records* records_;
  WatcherEvents events_;
  bool new_findings_ = false;
  Clock::time_point last_step_at_;
  Clock::time_point last_record_at_;
};

// Opens a run that may not have begun yet: waits for its collections files until `stop` says so.
// kUnavailable then; kMissingCollectionFiles if the job ended without any.
Result<std::shared_ptr<trial::Trial>> WaitForRun(const std::shared_ptr<const storage::Store>& store,
                                                 const std::function<bool()>& stop);

}  // namespace warden::rules

#endif  // WARDEN_RULES_WATCHER_H_
