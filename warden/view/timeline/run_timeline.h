#ifndef WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_
#define WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "warden/view/timeline/argument_finder.h"
#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// The timeline of a run: reads its traces in a thread of its own, and goes on as they grow. Safe
// for many threads.
class RunTimeline {
 public:
  // profile: the profiler's folder, which need not be there yet.
  explicit RunTimeline(std::string profile);
  ~RunTimeline();
  RunTimeline(const RunTimeline&) = delete;
  RunTimeline& operator=(const RunTimeline&) = delete;

  // What is known by now; never null.
  std::shared_ptr<const TimelineSnapshot> snapshot() const;
  // Waits until all that was there has been read.
  std::shared_ptr<const TimelineSnapshot> WaitUntilRead() const;

  // Read again from the files. REQUIRES: id < snapshot.events.
  std::optional<ArgumentFinder::Found> ArgumentsOf(const TimelineSnapshot& snapshot,
                                                   EventId id) const;

 private:
  void Run();

  const std::string profile_;
  ArgumentFinder arguments_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool stop_ = false;
  std::shared_ptr<const TimelineSnapshot> snapshot_;
  std::thread thread_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_RUN_TIMELINE_H_
