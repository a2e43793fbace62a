#ifndef WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_
#define WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_

// The timeline of a run, read in the background: what the dashboard's timeline shows. Used by
// dashboard/timeline, one object for each run that somebody looks at.
//
//   RunTimeline timeline("runs/1/profiler-output");
//   const auto snapshot = timeline.snapshot();  // Or WaitUntilRead().
//   Use(TimelineJson(*snapshot));

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "warden/timeline/host_clocks.h"
#include "warden/view/timeline/argument_finder.h"
#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// The timeline of a run. A separate thread reads its traces and continues as they grow; it
// publishes a snapshot at most every 0.4 s. Safe for many threads. Looks for new data four times a
// second. Publishing takes at most about a tenth of the thread's time: snapshots of a large
// timeline come less often while it is read.
class RunTimeline {
 public:
  // Estimates the clocks of the hosts from what there is now; may take seconds.
  using FindClocks = std::function<timeline::HostClocks()>;

  // Starts the thread and returns. profile: the profiler's folder, which need not exist yet.
  // find_clocks: called by the thread at first, and again while events come; may be empty: times
  // are as the files have them. Where a clock turns out to be farther off than its error allows,
  // everything is read again, and events may have other numbers.
  explicit RunTimeline(std::string profile, FindClocks find_clocks = {});
  // Stops the thread and waits for it. Snapshots stay valid.
  ~RunTimeline();
  RunTimeline(const RunTimeline&) = delete;
  RunTimeline& operator=(const RunTimeline&) = delete;

  // What is known by now; never null. Returns at once.
  std::shared_ptr<const TimelineSnapshot> snapshot() const;
  // Waits until all that was there at first has been read, however long it takes. For tests and
  // exports.
  std::shared_ptr<const TimelineSnapshot> WaitUntilRead() const;

  // The arguments of an event, read again from the files, which takes milliseconds. Nothing if they
  // cannot be found. snapshot: one of this object. REQUIRES: id < snapshot.events.
  std::optional<ArgumentFinder::Found> ArgumentsOf(const TimelineSnapshot& snapshot,
                                                   EventId id) const;

 private:
  using Clock = std::chrono::steady_clock;
  // What is being read, by which clocks; defined in the .cc file.
  struct Reading;

  // The thread: reads, and publishes snapshots.
  void Run();
  // Asks for the clocks, and notes when to ask again.
  timeline::HostClocks ClocksNow();
  // Whether it is time to ask again and the clocks are others than those of the reading:
  // new_clocks_.
  bool ClocksChanged(const Reading& reading);
  void Publish(Reading* reading);

  const std::string profile_;
  const FindClocks find_clocks_;
  // These are the thread's: when to ask for the clocks, and what came of it.
  Clock::time_point next_clocks_{};
  Clock::duration clock_wait_;
  int clock_checks_ = 0;
  size_t checked_events_ = 0;
  timeline::HostClocks new_clocks_;
  mutable std::mutex mutex_;  // Guards stop_, arguments_ and snapshot_.
  mutable std::condition_variable changed_;
  bool stop_ = false;
  std::shared_ptr<ArgumentFinder> arguments_ = std::make_shared<ArgumentFinder>();
  std::shared_ptr<const TimelineSnapshot> snapshot_;
  std::thread thread_;  // Last: it uses all others.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_
