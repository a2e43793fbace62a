#ifndef WARDEN_RULES_ENGINE_PROFILE_STREAM_H_
#define WARDEN_RULES_ENGINE_PROFILE_STREAM_H_

// The engine's side of the profiler: samples of the machine and spans of the timeline, in the order
// in which files have them, each once. What the rules do with them is in rules/profiler.

#include <memory>
#include <span>
#include <utility>

#include "warden/base/types.h"
#include "warden/rules/profiler/profiler_rule.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::rules {

// Hands what the profiler has saved to the profiler rules, and knows how far the run has come. The
// engine has one once SetProfile was called. For one thread.
class ProfileStream {
 public:
  // Takes the feed over; not null.
  explicit ProfileStream(std::unique_ptr<timeline::ProfileFeed> feed) : feed_(std::move(feed)) {}

  // Reads the next piece, of a few seconds of the run at most, and calls See() of every rule with
  // each sample and span of it. False if there is nothing new by now. The rules are not owned. A
  // file that cannot be read also ends the pass with false: the feed has logged it, and the rules
  // see what there is. Samples of a piece come before its spans.
  bool Pass(std::span<ProfilerRule* const> rules);

  // The next pieces include every file that is there now. Call it once the run has ended: what was
  // written since the last look would be missed.
  void LookAgain() { feed_->LookAgain(); }

  // Whether it is time to evaluate: a second of the run's own time has passed since this was last
  // true. By the run's clock and not ours, so that a finished run is evaluated as often as a live
  // one.
  bool IsDue();

  int64_t now_us() const {
    return now_us_;
  }  // Since 1970, of the latest sample or span; 0 before the first.
  Step step() const {
    return step_;
  }  // Largest TRAIN or GLOBAL step in the timeline; -1 before the first.
  bool ended() const { return feed_->ended(); }  // See ProfileFeed::ended().
  bool any() const { return feed_->any(); }      // Any file of the profiler was there.

 private:
  // Times before 2000 or after 2200 are ignored: a clock that is off must not decide when to
  // evaluate.
  void NoteTime(double us);
  void NoteStep(const timeline::Span& span);

  std::unique_ptr<timeline::ProfileFeed> feed_;
  timeline::ProfileBatch batch_;
  int64_t now_us_ = 0;
  int64_t evaluated_us_ = 0;
  Step step_ = -1;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_PROFILE_STREAM_H_
