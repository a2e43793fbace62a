#include "warden/jobs/events/live_clients.h"

#include <fmt/format.h>

#include <chrono>

#include "warden/base/log.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/pause.h"

namespace warden::jobs {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Of history at once, and how often.
constexpr size_t kPieceEvents = 32;
constexpr milliseconds kPieceTime{50};
// So that proxies do not take a quiet connection for a dead one, and we notice who has gone.
constexpr seconds kKeepAlive{15};

}  // namespace

LiveClients::LiveClients(JobStore* store) : store_(store), bell_(EventBell::Of(store)) {
  const os::BlockedSignals blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { Serve(stop); });
}

LiveClients::~LiveClients() {
  thread_.request_stop();
  thread_.join();
  for (auto& [number, group] : groups_) {
    for (const auto& pipe : group) pipe->Close();
  }
  for (const auto& [pipe, after] : added_) pipe->Close();
}

void LiveClients::Add(std::shared_ptr<http::LivePipe> pipe, std::optional<int64_t> after) {
  const int64_t number = after ? *after : store_->LastEvent();
  // Headers alone do not tell all clients that they are heard.
  if (!pipe->Send("retry: 2000\n\n")) return;
  {
    const std::lock_guard lock(mutex_);
    added_.emplace_back(std::move(pipe), number);
  }
  bell_->Ring();
}

void LiveClients::Serve(const std::stop_token& stop) {
  auto last_word = std::chrono::steady_clock::now();
  bool more = false;
  while (!stop.stop_requested()) {
    if (more) {
      os::PauseFor(kPieceTime, stop);
    } else {
      bell_->Wait(kBellWait, stop);
    }
    std::vector<std::pair<std::shared_ptr<http::LivePipe>, int64_t>> added;
    {
      const std::lock_guard lock(mutex_);
      added.swap(added_);
    }
    for (auto& [pipe, number] : added) groups_[number].push_back(std::move(pipe));
    more = false;
    for (auto& [number, group] : std::exchange(groups_, {})) {
      more = ServeGroup(number, std::move(group)) || more;
    }
    if (std::chrono::steady_clock::now() - last_word < kKeepAlive) continue;
    last_word = std::chrono::steady_clock::now();
    KeepAlive();
  }
}

bool LiveClients::ServeGroup(int64_t number, Group group) {
  const auto events = store_->EventsAfter(number, kPieceEvents);
  if (!events.ok()) LogError("cannot read events: {}", events.status().message());
  const bool any = events.ok() && !events.value().empty();
  if (any) {
    std::string piece;
    for (const StoredEvent& event : events.value()) {
      piece += fmt::format("id: {}\ndata: {}\n\n", event.number, event.body);
      number = event.number;
    }
    std::erase_if(group, [&](const auto& pipe) { return !pipe->Send(piece); });
  }
  if (!group.empty()) {
    Group& all = groups_[number];
    all.insert(all.end(), group.begin(), group.end());
  }
  return any && events.value().size() == kPieceEvents;
}

void LiveClients::KeepAlive() {
  for (auto& [number, group] : groups_) {
    std::erase_if(group, [](const auto& pipe) { return !pipe->Send(": keep-alive\n\n"); });
  }
}

}  // namespace warden::jobs
