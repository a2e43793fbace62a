#ifndef WARDEN_OS_PAUSE_H_
#define WARDEN_OS_PAUSE_H_

// A sleep that a stop request ends at once: for background threads that look at something now and
// then (deliveries, live streams, supervised jobs). They loop like this and can be joined at any
// time:
//
//   while (os::PauseFor(std::chrono::milliseconds(500), leave)) Look();

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace warden::os {

// Waits for `time`, or until `leave` is requested. True if it is time for the next round, false if
// it is time to leave: also if the request came before the call, which then returns at once. A time
// of zero or less does not wait. For any thread; several may wait on the same request. Nobody else
// can wake it: what has a queue to wait for uses its own condition variable.
inline bool PauseFor(std::chrono::milliseconds time, const std::stop_token& leave) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, leave, time, [] { return false; });
  return !leave.stop_requested();
}

}  // namespace warden::os

#endif  // WARDEN_OS_PAUSE_H_
