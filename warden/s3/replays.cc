#include "warden/s3/replays.h"

namespace warden::s3 {
namespace {

constexpr std::chrono::seconds kRetries{10};
// A signature is accepted from 15 minutes before to 15 minutes after its time.
constexpr std::chrono::minutes kValid{30};
// About 30 MB.
constexpr size_t kMost = 200'000;

}  // namespace

bool Replays::Admit(const std::string& signature) {
  const std::lock_guard lock(mutex_);
  const auto now = now_();
  while (!in_order_.empty() &&
         (in_order_.size() >= kMost || now - first_seen_.at(in_order_.front()) >= kValid)) {
    first_seen_.erase(in_order_.front());
    in_order_.pop_front();
  }
  const auto [found, is_new] = first_seen_.emplace(signature, now);
  if (is_new) in_order_.push_back(signature);
  return now - found->second <= kRetries;
}

}  // namespace warden::s3
