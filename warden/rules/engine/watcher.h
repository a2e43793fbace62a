#ifndef WARDEN_RULES_ENGINE_WATCHER_H_
#define WARDEN_RULES_ENGINE_WATCHER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/engine/records.h"
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

// Opens the tensors of a run that may not have any yet: waits for a moment at most. kUnavailable:
// not yet; kMissingCollectionFiles: the job has ended without any.
using OpenTrial = std::function<Result<std::shared_ptr<trial::Trial>>()>;
OpenTrial OpenerOf(std::shared_ptr<const storage::Store> store, std::function<bool()> stop);

// Judges a run and keeps the records, to the end of the run. For one thread.
class Watcher {
 public:
  // All that is given outlives this.
  Watcher(Engine* engine, Records* records, WatcherEvents events);

  // Judges what is there by now.
  Status CatchUp();
  // Judges the run as it grows, by the store's notifications, until it has ended or `stop` says so
  // (asked several times a second). open: for an engine that has no trial yet. A run whose profiler
  // was cut off ends a while after its steps did, unless only `stop` is to be believed.
  Status Follow(const OpenTrial& open, const std::function<bool()>& stop, bool only_stop_ends);

  // How things stand. After the run has ended, or been given up: `over`.
  std::vector<RuleReport> Reports(bool over);

 private:
  using Clock = std::chrono::steady_clock;

  void Found(const RuleState& rule, const Finding& finding);
  bool Advance();
  Status KeepRecords();
  // A program that trains nothing, and is over at once, leaves no records.
  bool HasRecords() const { return engine_->begun() || found_any_; }
  void TellOfSilence();
  Status LookForTrial(const OpenTrial& open);
  bool Wait();
  bool IsOver();

  Engine* engine_;
  Records* records_;
  WatcherEvents events_;
  bool new_findings_ = false;
  bool found_any_ = false;
  bool has_no_trial_ = false;  // And never will.
  Clock::time_point last_step_at_;
  Clock::time_point last_news_at_;
  Clock::time_point last_record_at_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_WATCHER_H_
