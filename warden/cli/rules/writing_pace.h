#ifndef WARDEN_CLI_RULES_WRITING_PACE_H_
#define WARDEN_CLI_RULES_WRITING_PACE_H_

#include <algorithm>
#include <chrono>

namespace warden::cli {

// When to write something again that is kept up to date: the more it costs, the more seldom.
class WritingPace {
 public:
  bool IsDue() {
    begun_ = Clock::now();
    return begun_ >= next_;
  }
  // What was due at the last IsDue has been written now.
  void Written() {
    const auto end = Clock::now();
    next_ = end + std::max<Clock::duration>(kInterval, (end - begun_) * kMostOfTime);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kFirst{5};
  static constexpr std::chrono::seconds kInterval{10};
  // Of the time that passes, at most this part goes into writing.
  static constexpr int kMostOfTime = 100;

  Clock::time_point next_ = Clock::now() + kFirst;
  Clock::time_point begun_ = {};
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_WRITING_PACE_H_
