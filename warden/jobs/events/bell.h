#ifndef WARDEN_JOBS_EVENTS_BELL_H_
#define WARDEN_JOBS_EVENTS_BELL_H_

// Tells threads that wait for events that there are new ones. Used by couriers and by live pages.
//
//   const auto bell = EventBell::Of(store);
//   while (bell->Wait(kBellWait, stop) || !stop.stop_requested()) SendNewEvents();

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// How long to wait for the bell before looking anyway.
inline constexpr std::chrono::milliseconds kBellWait{1000};

// Rings when the store has stored an event, so that waiting threads need not poll. Safe for many
// threads; one waits. A ring that comes while nobody waits is kept for the next Wait, so that none
// is lost between reading the store and waiting; several rings count as one.
class EventBell {
 public:
  // Returns a bell that the store rings. The store keeps no strong pointer: the bell goes with its
  // last user, and the store's listener does nothing from then on. The store calls it in the thread
  // that made the change.
  static std::shared_ptr<EventBell> Of(JobStore* store) {
    auto bell = std::make_shared<EventBell>();
    store->OnEvent([ringing = std::weak_ptr(bell)] {
      if (const auto there = ringing.lock()) there->Ring();
    });
    return bell;
  }

  // Wakes the waiting thread, or the next call of Wait. Never blocks for long.
  void Ring() {
    const std::lock_guard lock(mutex_);
    rung_ = true;
    wake_.notify_all();
  }

  // Returns when it has rung since the last call, the time is over, or a stop is requested. True if
  // it rang.
  bool Wait(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, time, [this] { return rung_; });
    return std::exchange(rung_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool rung_ = false;  // Since the last Wait. Under mutex_.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_BELL_H_
