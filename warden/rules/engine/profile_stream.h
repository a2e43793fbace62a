#ifndef WARDEN_RULES_ENGINE_PROFILE_STREAM_H_
#define WARDEN_RULES_ENGINE_PROFILE_STREAM_H_

#include <memory>
#include <span>
#include <utility>

#include "warden/base/types.h"
#include "warden/rules/profiler/profiler_rule.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::rules {

// Hands what the profiler has saved to rules, and knows how far the run has come. For one thread.
class ProfileStream {
 public:
  explicit ProfileStream(std::unique_ptr<timeline::ProfileFeed> feed) : feed_(std::move(feed)) {}

  // The next piece; false if there is none by now.
  bool Pass(std::span<ProfilerRule* const> rules);

  // Nothing that is there now may be left out.
  void LookAgain() { feed_->LookAgain(); }

  // Whether it is time to judge: a second of the run's own time has passed since it last was.
  bool IsDue();

  int64_t now_us() const { return now_us_; }  // 0 before anything came.
  Step step() const { return step_; }         // The last one of training; -1 before the first.
  bool ended() const { return feed_->ended(); }
  bool any() const { return feed_->any(); }

 private:
  void NoteTime(double us);
  void NoteStep(const timeline::Span& span);

  std::unique_ptr<timeline::ProfileFeed> feed_;
  timeline::ProfileBatch batch_;
  int64_t now_us_ = 0;
  int64_t judged_us_ = 0;
  Step step_ = -1;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_PROFILE_STREAM_H_
