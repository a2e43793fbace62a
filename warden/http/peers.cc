#include "warden/http/peers.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace warden::http {
namespace {

constexpr size_t kMostLeaving = 64;

}  // namespace

bool Peers::Add(const std::shared_ptr<Peer>& peer, boost::asio::any_io_executor executor) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_) return false;
  if (entries_.size() - leaving_ >= limit_ && !CloseIdlestLocked()) return false;
  entries_.emplace(peer.get(), Entry{peer, std::move(executor)});
  return true;
}

bool Peers::IsCrowded() const {
  const std::lock_guard lock(mutex_);
  return leaving_ >= kMostLeaving;
}

bool Peers::CloseIdlest() {
  const std::lock_guard lock(mutex_);
  return CloseIdlestLocked();
}

bool Peers::CloseIdlestLocked() {
  Entry* idlest = nullptr;
  auto since = Peer::Clock::time_point::max();
  for (auto& [key, entry] : entries_) {
    // As in CancelLate: it lives as long as its entry.
    if (entry.is_leaving || key->idle_since() >= since) continue;
    since = key->idle_since();
    idlest = &entry;
  }
  if (idlest == nullptr) return false;
  idlest->is_leaving = true;
  ++leaving_;
  boost::asio::post(idlest->executor, [this, weak = idlest->peer] {
    const auto peer = weak.lock();
    if (peer == nullptr) return;
    // A request may have arrived meanwhile.
    const bool is_idle = peer->idle_since() != Peer::Clock::time_point::max();
    if (is_idle) peer->Close();
    if (!is_idle) Stay(peer.get());
  });
  return true;
}

void Peers::Stay(const Peer* peer) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(peer);
  if (found == entries_.end() || !found->second.is_leaving) return;
  found->second.is_leaving = false;
  --leaving_;
}

void Peers::Remove(const Peer* peer) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(peer);
  if (found == entries_.end()) return;
  if (found->second.is_leaving) --leaving_;
  entries_.erase(found);
  if (entries_.empty()) none_.notify_all();
}

void Peers::CancelLate() {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    // It lives: it is removed before it goes, and that waits for the mutex. But it may be about to
    // go, and must not go here.
    if (!key->IsLate()) continue;
    boost::asio::post(entry.executor, [weak = entry.peer] {
      const auto peer = weak.lock();
      if (peer != nullptr && peer->IsLate()) peer->Cancel();
    });
  }
}

void Peers::TellAll(void (Peer::*what)()) {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    boost::asio::post(entry.executor, [weak = entry.peer, what] {
      if (const auto peer = weak.lock()) (peer.get()->*what)();
    });
  }
}

void Peers::StopAll() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  TellAll(&Peer::Stop);
}

void Peers::CloseAll() { TellAll(&Peer::Close); }

bool Peers::AwaitNone(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return none_.wait_for(lock, limit, [this] { return entries_.empty(); });
}

}  // namespace warden::http
