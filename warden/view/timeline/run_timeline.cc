#include "warden/view/timeline/run_timeline.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "warden/view/timeline/timeline_builder.h"

namespace warden::view {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLookEvery = std::chrono::milliseconds(250);
constexpr auto kShowEvery = std::chrono::milliseconds(400);
// What shows a long run as it is read must not take long in comparison.
constexpr int kShareOfShowing = 10;

}  // namespace

RunTimeline::RunTimeline(std::string profile)
    : profile_(std::move(profile)),
      snapshot_(TimelineBuilder("", &arguments_).Publish(/*done=*/false)),
      thread_([this] { Run(); }) {}

RunTimeline::~RunTimeline() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::shared_ptr<const TimelineSnapshot> RunTimeline::snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

std::shared_ptr<const TimelineSnapshot> RunTimeline::WaitUntilRead() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return snapshot_->done; });
  return snapshot_;
}

void RunTimeline::Run() {
  TimelineBuilder builder(profile_, &arguments_);
  Clock::time_point next_show = Clock::now() + kShowEvery;
  bool done = false;  // What was there at first has been read.
  while (true) {
    const bool more = builder.ReadMore();
    const auto now = Clock::now();
    const bool first_end = !more && !done;
    if (first_end || (now >= next_show && (more || builder.changed()))) {
      done |= !more;
      auto snapshot = builder.Publish(done);
      if (first_end) malloc_trim(0);  // What sorting took; it may be as much as is kept.
      const auto shown = Clock::now();
      next_show = shown + std::max<Clock::duration>(kShowEvery, (shown - now) * kShareOfShowing);
      {
        const std::lock_guard lock(mutex_);
        snapshot_ = std::move(snapshot);
      }
      changed_.notify_all();
    }
    std::unique_lock lock(mutex_);
    if (!more) changed_.wait_for(lock, kLookEvery, [this] { return stop_; });
    if (stop_) return;
  }
}

std::optional<ArgumentFinder::Found> RunTimeline::ArgumentsOf(const TimelineSnapshot& snapshot,
                                                              EventId id) const {
  const EventStore& store = *snapshot.store;
  return arguments_.Find({snapshot.tracks[store.track(id)].name.node, store.name(id),
                          store.start(id), store.duration(id)});
}

}  // namespace warden::view
