#ifndef WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_
#define WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_

// The timeline of a run, read in the background: what the dashboard's timeline shows. Used by
// dashboard/timeline, one object for each run that somebody looks at.
//
//   RunTimeline timeline("runs/1/profiler-output");
//   const auto snapshot = timeline.snapshot();  // Or WaitUntilRead().
//   Use(TimelineJson(*snapshot));

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "warden/view/timeline/argument_finder.h"
#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// The timeline of a run. A separate thread reads its traces and continues as they grow; it
// publishes a snapshot at most every 0.4 s. Safe for many threads. Looks for new data four times a
// second. Publishing takes at most about a tenth of the thread's time: snapshots of a large
// timeline come less often while it is read.
class RunTimeline {
 public:
  // Starts the thread and returns. profile: the profiler's folder, which need not exist yet.
  explicit RunTimeline(std::string profile);
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
  // The thread: reads, and publishes snapshots.
  void Run();

  const std::string profile_;
  ArgumentFinder arguments_;  // Has its own lock.
  mutable std::mutex mutex_;  // Guards stop_ and snapshot_.
  mutable std::condition_variable changed_;
  bool stop_ = false;
  std::shared_ptr<const TimelineSnapshot> snapshot_;
  std::thread thread_;  // Last: it uses all others.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_
