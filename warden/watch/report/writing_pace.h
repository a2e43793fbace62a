#ifndef WARDEN_WATCH_REPORT_WRITING_PACE_H_
#define WARDEN_WATCH_REPORT_WRITING_PACE_H_

#include <algorithm>
#include <chrono>

namespace warden::watch {

// When to rewrite a file that is kept up to date: the more it costs, the less often. The first time
// after 5 seconds, then every 10 at most, and so that writing takes no more than a hundredth of the
// time: a report that takes 2 seconds is written every 200. For one thread.
class WritingPace {
 public:
  // Also notes when writing begins: call it right before.
  bool IsDue() {
    begun_ = Clock::now();
    return begun_ >= next_;
  }
  // The file that was due at the last IsDue has been written.
  void Written() {
    const auto end = Clock::now();
    next_ = end + std::max<Clock::duration>(kInterval, (end - begun_) * kMostOfTime);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kFirst{5};
  static constexpr std::chrono::seconds kInterval{10};
  // Writing takes at most one part in this many of the time.
  static constexpr int kMostOfTime = 100;

  Clock::time_point next_ = Clock::now() + kFirst;
  Clock::time_point begun_ = {};
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_REPORT_WRITING_PACE_H_
