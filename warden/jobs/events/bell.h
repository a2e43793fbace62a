#ifndef WARDEN_JOBS_EVENTS_BELL_H_
#define WARDEN_JOBS_EVENTS_BELL_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// How long to wait for the bell, for the case that it was not heard.
inline constexpr std::chrono::milliseconds kBellWait{1000};

// Rings when the store has kept an event. Safe for many threads; one waits.
class EventBell {
 public:
  // Rung by the store as long as somebody has it.
  static std::shared_ptr<EventBell> Of(JobStore* store) {
    auto bell = std::make_shared<EventBell>();
    store->OnEvent([ringing = std::weak_ptr(bell)] {
      if (const auto there = ringing.lock()) there->Ring();
    });
    return bell;
  }

  void Ring() {
    const std::lock_guard lock(mutex_);
    rung_ = true;
    wake_.notify_all();
  }

  // Returns when it has rung since the last call, or the time is over, or on a stop. True if it
  // rang.
  bool Wait(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, time, [this] { return rung_; });
    return std::exchange(rung_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool rung_ = false;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_BELL_H_
