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

// A thread, without signals, that does one piece of work after the other. The dispatcher has two:
// one stops jobs, one delivers, so that neither waits for the other. Add and WaitIdle are safe for
// many threads; Stop and the destructor are for one, which is not the lane's own.
//
//   Lane lane;
//   lane.Add([](const std::stop_token& stop) -> std::optional<std::chrono::milliseconds> {
//     return Deliver(stop) ? std::nullopt : std::optional(std::chrono::milliseconds(2000));
//   });
class Lane {
 public:
  // Returns after how long it wants to be called again, or nothing when it is done. One that waits
  // holds up no other. Must return soon after a stop is requested. Owned by the lane until it is
  // done; may call Add. Must not throw.
  using Work = std::function<std::optional<std::chrono::milliseconds>(const std::stop_token&)>;

  Lane();
  ~Lane() { Stop(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Due at once, after what is already due. Ignored after Stop.
  void Add(Work work);
  // True once nothing is left to do or to wait for; false if that is not so by then.
  bool WaitIdle(std::chrono::steady_clock::time_point deadline);
  // Asks the work in progress to end and drops what waits. Returns when the thread has ended: as
  // late as that work returns. A second call does nothing.
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
