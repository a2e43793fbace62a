#include "warden/actions/lane.h"

#include <utility>

#include "warden/os/blocked_signals.h"

namespace warden::actions {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Lane::Lane() {
  const os::BlockedSignals blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

void Lane::Add(Work work) {
  {
    const std::lock_guard lock(mutex_);
    due_.emplace(Clock::now(), std::move(work));
  }
  changed_.notify_all();
}

bool Lane::WaitIdle(Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return due_.empty() && !busy_; });
}

void Lane::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Lane::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (due_.empty()) {
      changed_.wait(lock, stop, [this] { return !due_.empty(); });
      continue;
    }
    const auto when = due_.begin()->first;
    if (when > Clock::now()) {
      changed_.wait_until(lock, stop, when, [&] { return due_.begin()->first < when; });
      continue;
    }
    Work work = std::move(due_.begin()->second);
    due_.erase(due_.begin());
    busy_ = true;
    lock.unlock();
    const auto again = work(stop);
    lock.lock();
    busy_ = false;
    if (again) due_.emplace(Clock::now() + *again, std::move(work));
    changed_.notify_all();
  }
}

}  // namespace warden::actions
