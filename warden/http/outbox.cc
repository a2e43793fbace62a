#include "warden/http/outbox.h"

#include <utility>

namespace warden::http {

Outbox::Outbox(size_t limit, std::function<void()> wake) : limit_(limit), wake_(std::move(wake)) {}

void Outbox::WakeLocked() {
  if (was_woken_ || !wake_) return;
  was_woken_ = true;
  wake_();
}

bool Outbox::Send(std::string piece) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kOpen) return false;
  if (piece.empty()) return true;
  if (piece.size() > limit_ - waiting_) {
    state_ = State::kCut;
    pieces_.clear();
    // It may be asleep in a write that never ends: a wake that it has not looked after counts not.
    was_woken_ = false;
    WakeLocked();
    return false;
  }
  waiting_ += piece.size();
  pieces_.push_back(std::move(piece));
  WakeLocked();
  return true;
}

void Outbox::Close() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kOpen) return;
  state_ = State::kClosed;
  WakeLocked();
}

std::optional<std::string> Outbox::Next() {
  const std::lock_guard lock(mutex_);
  was_woken_ = false;
  waiting_ -= taken_;
  taken_ = 0;
  if (pieces_.empty()) return std::nullopt;
  std::string piece = std::move(pieces_.front());
  pieces_.pop_front();
  taken_ = piece.size();
  return piece;
}

std::string Outbox::All() {
  const std::lock_guard lock(mutex_);
  was_woken_ = false;
  waiting_ -= taken_;
  std::string all;
  for (const std::string& piece : pieces_) all += piece;
  std::deque<std::string>().swap(pieces_);
  taken_ = all.size();
  return all;
}

Outbox::State Outbox::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Outbox::LetGo() {
  const std::lock_guard lock(mutex_);
  state_ = State::kGone;
  wake_ = nullptr;
  std::deque<std::string>().swap(pieces_);
}

}  // namespace warden::http
