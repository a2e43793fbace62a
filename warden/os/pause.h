#ifndef WARDEN_OS_PAUSE_H_
#define WARDEN_OS_PAUSE_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace warden::os {

// Waits so long, or until it is time to leave: false then.
inline bool PauseFor(std::chrono::milliseconds time, const std::stop_token& leave) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, leave, time, [] { return false; });
  return !leave.stop_requested();
}

}  // namespace warden::os

#endif  // WARDEN_OS_PAUSE_H_
