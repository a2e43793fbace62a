#ifndef WARDEN_RULES_ENGINE_WATCHER_H_
#define WARDEN_RULES_ENGINE_WATCHER_H_

// Follows a run with an engine, and keeps its records: behind `warden run`, `warden eval` and the
// service's rule jobs.
//
//   Watcher watcher(engine.get(), &records, {.found = show});
//   Status status = watcher.Follow(OpenerOf(store, stop), stop, /*only_stop_ends=*/false);
//   for (const RuleReport& report : watcher.Reports(/*over=*/true)) Print(report);

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

// Callbacks, all on the watcher's thread; each does nothing by default. They must not block for
// long.
struct WatcherEvents {
  // A finding that is recorded for the first time; one that an earlier watcher has recorded is not
  // repeated. The references are valid during the call.
  std::function<void(const RuleState&, const Finding&)> found = [](const auto&, const auto&) {};
  // A finding that an earlier watcher has recorded, found again.
  std::function<void(const RuleState&, const Finding&)> known = [](const auto&, const auto&) {};
  // Steps were checked. What was found is recorded after this call: whatever must not be lost if
  // the process is killed in between, such as an alarm, has to be done now.
  std::function<void()> evaluated = [] {};
  // Something may have changed: a step was checked, or a moment has passed.
  std::function<void()> moment = [] {};
};

// Opens the tensors of a run that may not have any yet: waits for 0.2 s at most. kUnavailable: not
// yet; kMissingCollectionFiles: the job has ended without any; any other error ends the watcher.
using OpenTrial = std::function<Result<std::shared_ptr<trial::Trial>>()>;
// Opens the run of a store, with the options of the environment. `stop` ends a wait early.
OpenTrial OpenerOf(std::shared_ptr<const storage::Store> store, std::function<bool()> stop);

// Checks a run and keeps the records, to the end of the run. For one thread.
class Watcher {
 public:
  // Engine and records are not owned and outlive this. Findings on record of rules with other
  // parameters are dropped from the records now.
  Watcher(Engine* engine, Records* records, WatcherEvents events);

  // Checks what is there by now. The error of refreshing the trial or of writing records.
  Status CatchUp();
  // Checks the run as it grows, by the store's notifications, until it has ended or `stop` returns
  // true (called several times a second); then what was saved before that, too. open: for an engine
  // that has no trial yet. A run whose profiler was killed ends about a minute after its steps did,
  // unless only_stop_ends. Errors are those of CatchUp and of `open`.
  Status Follow(const OpenTrial& open, const std::function<bool()>& stop, bool only_stop_ends);

  // How things stand; also written to the records, where an error is ignored. over: the run has
  // ended or is given up; ends the rules, which may open findings.
  std::vector<RuleReport> Reports(bool over);

 private:
  using Clock = std::chrono::steady_clock;

  void Found(const RuleState& rule, const Finding& finding);
  bool Advance();
  Status KeepRecords();
  // A command that trains nothing, and is over at once, leaves no records.
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
  bool has_no_trial_ = false;       // And never will.
  Clock::time_point last_step_at_;  // For rules that wait for steps.
  Clock::time_point last_news_at_;  // A step or a piece of profiler data.
  Clock::time_point last_record_at_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_WATCHER_H_
