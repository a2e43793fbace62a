#include "warden/dashboard/site/sign_in_limit.h"

#include <algorithm>
#include <utility>

namespace warden::dashboard {
namespace {

constexpr std::chrono::seconds kPause{2};
constexpr int kAtOnce = 10;
constexpr size_t kMostPeers = 10'000;

}  // namespace

SignInLimit::SignInLimit(std::function<Clock::time_point()> now) : now_(std::move(now)) {}

SignInLimit::Clock::time_point* SignInLimit::Busy(const std::string& peer) {
  if (const auto found = busy_until_.find(peer); found != busy_until_.end()) return &found->second;
  if (busy_until_.size() >= kMostPeers) {
    std::erase_if(busy_until_, [now = now_()](const auto& entry) { return entry.second <= now; });
  }
  return &busy_until_[busy_until_.size() >= kMostPeers ? "" : peer];
}

std::chrono::seconds SignInLimit::WaitOf(const std::string& peer) {
  const std::lock_guard lock(mutex_);
  const auto wait = *Busy(peer) - now_() - (kAtOnce - 1) * kPause;
  if (wait <= Clock::duration::zero()) return std::chrono::seconds(0);
  return std::chrono::ceil<std::chrono::seconds>(wait);
}

void SignInLimit::Failed(const std::string& peer) {
  const std::lock_guard lock(mutex_);
  Clock::time_point* busy = Busy(peer);
  *busy = std::max(*busy, now_()) + kPause;
}

}  // namespace warden::dashboard
