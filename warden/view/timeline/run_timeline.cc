#include "warden/view/timeline/run_timeline.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "warden/view/timeline/timeline_builder.h"

namespace warden::view {
namespace {

using timeline::HostClocks;

constexpr auto kLookEvery = std::chrono::milliseconds(250);
constexpr auto kShowEvery = std::chrono::milliseconds(400);
// What shows a long run as it is read must not take long in comparison.
constexpr int kShareOfShowing = 10;
// Clocks are looked at again after 2 s, 4 s and so on. The first times in any case, since files of
// tensors may come later than traces; then only where more events have come.
constexpr auto kFirstClockCheck = std::chrono::seconds(2);
constexpr auto kLongestClockWait = std::chrono::minutes(1);
constexpr int kShareOfClocks = 20;
constexpr int kCertainClockChecks = 5;
// What nobody sees is not worth reading a run again.
constexpr int64_t kSmallestMoveUs = 100;

// Whether some host is at another time by the one than by the other.
bool Differ(const HostClocks& a, const HostClocks& b) {
  const auto differs_in = [](const HostClocks& one, const HostClocks& other) {
    return std::ranges::any_of(one, [&](const timeline::HostClock& clock) {
      const int64_t apart = std::abs(clock.ahead_us - timeline::AheadUs(other, clock.host));
      return apart > std::max(clock.error_us, kSmallestMoveUs);
    });
  };
  return differs_in(a, b) || differs_in(b, a);
}

}  // namespace

struct RunTimeline::Reading {
  Reading(const std::string& profile, HostClocks by)
      : clocks(by), builder(profile, arguments.get(), std::move(by)) {}

  const HostClocks clocks;
  const std::shared_ptr<ArgumentFinder> arguments = std::make_shared<ArgumentFinder>();
  TimelineBuilder builder;
  bool done = false;  // What was there at first has been read.
  size_t shown = 0;   // Events of the last snapshot.
};

RunTimeline::RunTimeline(std::string profile, FindClocks find_clocks)
    : profile_(std::move(profile)),
      find_clocks_(std::move(find_clocks)),
      clock_wait_(kFirstClockCheck),
      snapshot_(TimelineBuilder("", arguments_.get()).Publish(/*done=*/false)),
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

HostClocks RunTimeline::ClocksNow() {
  if (!find_clocks_) return {};
  const auto began = Clock::now();
  HostClocks clocks = find_clocks_();
  const auto now = Clock::now();
  next_clocks_ = now + std::max<Clock::duration>(clock_wait_, (now - began) * kShareOfClocks);
  clock_wait_ = std::min<Clock::duration>(2 * clock_wait_, kLongestClockWait);
  ++clock_checks_;
  return clocks;
}

bool RunTimeline::ClocksChanged(const Reading& reading) {
  if (!find_clocks_ || !reading.done || Clock::now() < next_clocks_) return false;
  if (clock_checks_ > kCertainClockChecks && reading.shown == checked_events_) return false;
  checked_events_ = reading.shown;
  new_clocks_ = ClocksNow();
  return Differ(new_clocks_, reading.clocks);
}

void RunTimeline::Publish(Reading* reading) {
  auto snapshot = reading->builder.Publish(reading->done);
  reading->shown = snapshot->events;
  {
    const std::lock_guard lock(mutex_);
    snapshot_ = std::move(snapshot);
    arguments_ = reading->arguments;
  }
  changed_.notify_all();
}

void RunTimeline::Run() {
  auto reading = std::make_unique<Reading>(profile_, ClocksNow());
  Clock::time_point next_show = Clock::now() + kShowEvery;
  bool again = false;  // There is a whole timeline to look at, by other clocks.
  while (true) {
    const bool more = reading->builder.ReadMore();
    const auto now = Clock::now();
    const bool first_end = !more && !reading->done;
    const bool is_due = now >= next_show && (more || reading->builder.changed());
    if (first_end || (is_due && (reading->done || !again))) {
      reading->done |= !more;
      Publish(reading.get());
      if (first_end) malloc_trim(0);  // What sorting took; it may be as much as is kept.
      const auto shown = Clock::now();
      next_show = shown + std::max<Clock::duration>(kShowEvery, (shown - now) * kShareOfShowing);
    }
    if (!more && ClocksChanged(*reading)) {
      reading = std::make_unique<Reading>(profile_, std::move(new_clocks_));
      again = true;
      continue;
    }
    std::unique_lock lock(mutex_);
    if (!more) changed_.wait_for(lock, kLookEvery, [this] { return stop_; });
    if (stop_) return;
  }
}

std::optional<ArgumentFinder::Found> RunTimeline::ArgumentsOf(const TimelineSnapshot& snapshot,
                                                              EventId id) const {
  std::shared_ptr<const ArgumentFinder> arguments;
  {
    const std::lock_guard lock(mutex_);
    arguments = arguments_;
  }
  const EventStore& store = *snapshot.store;
  const std::string& node = snapshot.tracks[store.track(id)].name.node;
  const int64_t ahead_us = timeline::AheadUs(snapshot.clocks, timeline::SplitNode(node).first);
  // As its file has it.
  const int64_t start_ns = store.start(id) + 1000 * ahead_us;
  return arguments->Find({node, store.name(id), start_ns, store.duration(id)});
}

}  // namespace warden::view
