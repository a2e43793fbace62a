#include "warden/jobs/events/courier.h"

#include <algorithm>

#include "warden/base/log.h"
#include "warden/os/pause.h"

namespace warden::jobs {
namespace {

using std::chrono::milliseconds;

constexpr size_t kAtOnce = 64;

}  // namespace

void Courier::Run(const std::stop_token& stop) {
  int64_t number = begin_;
  while (!stop.stop_requested()) {
    const auto events = store_->EventsAfter(number, kAtOnce);
    if (!events.ok()) {
      LogError("cannot read events: {}", events.status().message());
      os::PauseFor(kBellWait, stop);
      continue;
    }
    for (const StoredEvent& event : events.value()) {
      if (!Bring(event, stop)) return;
      number = event.number;
    }
    if (events.value().empty()) {
      bell_->Wait(kBellWait, stop);
    } else {
      Keep(number);
    }
  }
}

int64_t Courier::Begin() {
  if (const auto number = store_->CursorOf(receiver_.name)) return *number;
  const int64_t number = store_->LastEvent();
  Keep(number);
  return number;
}

void Courier::Keep(int64_t number) {
  const Status status = store_->SetCursor(receiver_.name, number);
  if (status.ok()) return;
  LogError("cannot save the position of receiver {}; it may get events twice: {}", receiver_.name,
           status.message());
}

bool Courier::Bring(const StoredEvent& event, const std::stop_token& stop) {
  const auto json = ParseJson(event.body);
  if (!json.ok()) return true;
  if (receiver_.wants && !receiver_.wants(json.value())) return !stop.stop_requested();
  if (!TryUntilDone(event, json.value(), stop)) return false;
  // At once: a command that was run is not to be run again.
  Keep(event.number);
  return true;
}

bool Courier::TryUntilDone(const StoredEvent& event, const Json& json,
                           const std::stop_token& stop) {
  milliseconds wait = patience_.first_wait;
  for (int tries = 1;; ++tries) {
    if (stop.stop_requested()) return false;
    const actions::Attempt attempt = receiver_.sender->Send(event, json, stop);
    if (attempt.status.ok()) {
      unreachable_since_.reset();
      return true;
    }
    if (stop.stop_requested()) return false;
    LogWarning("receiver {} did not get event {}: {}", receiver_.name, event.number,
               attempt.status.message());
    if (attempt.status.code() != Code::kUnavailable) {
      if (tries < patience_.refusals) {
        if (!os::PauseFor(wait, stop)) return false;
        continue;
      }
      LogError("receiver {} will not get event {}", receiver_.name, event.number);
      return true;
    }
    if (!unreachable_since_) unreachable_since_ = Clock::now();
    if (Clock::now() - *unreachable_since_ >= patience_.give_up) {
      LogError("receiver {} has been unreachable for too long; event {} dropped", receiver_.name,
               event.number);
      return true;
    }
    if (!os::PauseFor(std::max(wait, attempt.wait_at_least), stop)) return false;
    wait = std::min(2 * wait, patience_.longest_wait);
  }
}

}  // namespace warden::jobs
