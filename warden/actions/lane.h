#ifndef WARDEN_ACTIONS_LANE_H_
#define WARDEN_ACTIONS_LANE_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace warden::actions {

// A thread, without signals, that does one piece of work after the other.
class Lane {
 public:
  // Returns after how long it wants to be called again, or nothing when it is done. One that waits
  // holds up no other. Must return soon after a stop is requested.
  using Work = std::function<std::optional<std::chrono::milliseconds>(const std::stop_token&)>;

  Lane();
  ~Lane() { Stop(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void Add(Work work);
  // True once nothing is left to do or to wait for; false if that is not so by then.
  bool WaitIdle(std::chrono::steady_clock::time_point deadline);
  // Ends what is being done and drops what waits. Returns when the thread has ended.
  void Stop();

 private:
  void Run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<std::chrono::steady_clock::time_point, Work> due_;
  bool busy_ = false;
  std::jthread thread_;  // Last: it uses all others.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_LANE_H_
