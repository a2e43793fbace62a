#include "warden/http/peers.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace warden::http {

bool Peers::Add(const std::shared_ptr<Peer>& peer, boost::asio::any_io_executor executor) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_ || entries_.size() >= limit_) return false;
  entries_.emplace(peer.get(), Entry{peer, std::move(executor)});
  return true;
}

void Peers::Remove(const Peer* peer) {
  const std::lock_guard lock(mutex_);
  entries_.erase(peer);
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
