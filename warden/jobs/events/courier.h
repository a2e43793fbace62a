#ifndef WARDEN_JOBS_EVENTS_COURIER_H_
#define WARDEN_JOBS_EVENTS_COURIER_H_

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "warden/jobs/events/bell.h"
#include "warden/jobs/events/receivers.h"

namespace warden::jobs {

struct CourierPatience {
  // Between one try and the next, at first; it doubles each time.
  std::chrono::milliseconds first_wait{1000};
  std::chrono::milliseconds longest_wait{300'000};
  int refusals = 3;  // Of an event that the receiver does not accept.
  // Of a receiver that cannot be reached; from then on each event is tried once.
  std::chrono::milliseconds give_up{24 * 3'600'000};
};

// Brings events to one receiver, in order, each at least once: how far it has got is kept in the
// store. A new receiver begins with what happens once this is made. For one thread.
class Courier {
 public:
  // store outlives it.
  Courier(Receiver receiver, JobStore* store, const CourierPatience& patience)
      : receiver_(std::move(receiver)),
        store_(store),
        patience_(patience),
        bell_(EventBell::Of(store)),
        begin_(Begin()) {}

  // Before Run.
  void ServiceIsAt(const std::string& address) { receiver_.sender->ServiceIsAt(address); }
  // Until it is stopped.
  void Run(const std::stop_token& stop);

 private:
  using Clock = std::chrono::steady_clock;

  int64_t Begin();
  // Whether the event is dealt with: brought, not wanted, or given up.
  bool Bring(const StoredEvent& event, const std::stop_token& stop);
  bool TryUntilDone(const StoredEvent& event, const Json& json, const std::stop_token& stop);
  void Keep(int64_t number);

  const Receiver receiver_;
  JobStore* const store_;
  const CourierPatience patience_;
  const std::shared_ptr<EventBell> bell_;
  const int64_t begin_;
  std::optional<Clock::time_point> unreachable_since_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_COURIER_H_
