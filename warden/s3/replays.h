#ifndef WARDEN_S3_REPLAYS_H_
#define WARDEN_S3_REPLAYS_H_

// Refuses a request that somebody has recorded and sends again. A signature is good for 15 minutes,
// so a PUT from the network's cable would bring an old object back over a newer one.

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

namespace warden::s3 {

// Remembers the signatures of requests that change something, as long as they are valid. Safe for
// many threads. Bounded: of very many, the oldest are forgotten. A restart forgets all.
//
// Honest clients repeat requests, too. SDKs sign every attempt again, but the time in a signature
// has whole seconds, and not all that differs between attempts is signed: two attempts, or two
// equal requests, within one second have the same signature. So a repetition is accepted for a few
// seconds after the first.
class Replays {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Replays(std::function<Clock::time_point()> now = &Clock::now) : now_(std::move(now)) {}

  // Whether a request with this signature may be carried out; it counts as seen from now on.
  bool Admit(const std::string& signature);

 private:
  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;  // Guards all that follows.
  std::unordered_map<std::string, Clock::time_point> first_seen_;
  std::deque<std::string> in_order_;  // Of first_seen_, oldest first.
};

}  // namespace warden::s3

#endif  // WARDEN_S3_REPLAYS_H_
