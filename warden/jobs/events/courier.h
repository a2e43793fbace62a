#ifndef WARDEN_JOBS_EVENTS_COURIER_H_
#define WARDEN_JOBS_EVENTS_COURIER_H_

// Delivers events to one receiver, reliably. EventDelivery (delivery.h) runs one for each, on its
// own thread, so that a receiver that hangs delays no other.

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "warden/jobs/events/bell.h"
#include "warden/jobs/events/receivers.h"

namespace warden::jobs {

// How long it tries. Refused means that the receiver answered, and that trying the same again is
// not likely to help (any code but kUnavailable); unreachable is kUnavailable. A receiver that asks
// for a pause (Retry-After) gets it.
struct CourierPatience {
  // Between one try and the next, at first; it doubles each time, up to longest_wait.
  std::chrono::milliseconds first_wait{1000};
  std::chrono::milliseconds longest_wait{300'000};  // Between two tries.
  int refusals = 3;  // Tries for an event that the receiver refuses; then it is dropped.
  // For a receiver that cannot be reached; after that each event is tried once, and dropped.
  std::chrono::milliseconds give_up{24 * 3'600'000};
};

// Brings events to one receiver, in order, each at least once: how far it has got is kept in the
// store. A new receiver begins with what happens once this is made. For one thread. At least once:
// after a crash between sending and storing the cursor, the event is sent again. Receivers tell
// repetitions by the event's ID. An event that is not JSON, which the store never writes, is
// skipped.
class Courier {
 public:
  // Reads or creates the receiver's cursor. store is not owned and outlives it.
  Courier(Receiver receiver, JobStore* store, const CourierPatience& patience)
      : receiver_(std::move(receiver)),
        store_(store),
        patience_(patience),
        bell_(EventBell::Of(store)),
        begin_(Begin()) {}

  // Call it before Run. See EventSender.
  void ServiceIsAt(const std::string& address) { receiver_.sender->ServiceIsAt(address); }
  // Delivers until a stop is requested. A stop within a try ends that; the event is sent again by
  // the next one. Errors of the store are logged and tried again every second; no event is lost by
  // them.
  void Run(const std::stop_token& stop);

 private:
  using Clock = std::chrono::steady_clock;

  // The cursor of the receiver; a new one gets that of the last event.
  int64_t Begin();
  // True: the event is done: delivered, not wanted, or given up. False: on a stop.
  bool Bring(const StoredEvent& event, const std::stop_token& stop);
  // False: on a stop. Pauses between tries (CourierPatience).
  bool TryUntilDone(const StoredEvent& event, const Json& json, const std::stop_token& stop);
  // Stores the cursor. An error is logged: the receiver may get events twice then.
  void Keep(int64_t number);

  const Receiver receiver_;
  JobStore* const store_;  // Not owned.
  const CourierPatience patience_;
  const std::shared_ptr<EventBell> bell_;  // Before begin_, so that no event is missed.
  const int64_t begin_;                    // The last event that it has.
  std::optional<Clock::time_point> unreachable_since_;  // Nothing: the last try got through.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_COURIER_H_
