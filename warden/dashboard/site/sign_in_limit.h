#ifndef WARDEN_DASHBOARD_SITE_SIGN_IN_LIMIT_H_
#define WARDEN_DASHBOARD_SITE_SIGN_IN_LIMIT_H_

// Slows down those who guess tokens. Used by Sessions alone.

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace warden::dashboard {

// Counts wrong sign-ins by the address that they come from: ten may follow at once, then one every
// two seconds. Memory is bounded: if very many addresses are known, the others share one count.
// Safe for many threads.
class SignInLimit {
 public:
  using Clock = std::chrono::steady_clock;
  explicit SignInLimit(std::function<Clock::time_point()> now = &Clock::now);

  // How long this address has to wait before it may try again; zero: it may try now.
  std::chrono::seconds WaitOf(const std::string& peer);
  // It has tried and was wrong.
  void Failed(const std::string& peer);

 private:
  // When its count will be zero again; each failure moves that by kPause.
  Clock::time_point* Busy(const std::string& peer);  // Under mutex_.

  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;  // Guards the next.
  std::map<std::string, Clock::time_point> busy_until_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SIGN_IN_LIMIT_H_
