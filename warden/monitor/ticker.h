#ifndef WARDEN_MONITOR_TICKER_H_
#define WARDEN_MONITOR_TICKER_H_

#include <algorithm>
#include <cstdint>

namespace warden::monitor {

// Moments at equal distances, by a clock that is not set: a tick that comes late does not shift
// those after it, and ticks that were missed are counted, not made up for.
class Ticker {
 public:
  // The first tick is at once.
  Ticker(int64_t now_ns, int64_t interval_ns) : interval_ns_(interval_ns), next_ns_(now_ns) {}

  int64_t next_ns() const { return next_ns_; }
  int64_t interval_ns() const { return interval_ns_; }
  int64_t missed() const { return missed_; }

  // The tick of next_ns() happens now.
  void Advance(int64_t now_ns) {
    const int64_t late = std::max<int64_t>(0, now_ns - next_ns_) / interval_ns_;
    missed_ += late;
    next_ns_ += (late + 1) * interval_ns_;
  }

  // The next tick comes one new interval after the last, or at once if that has passed.
  void SetInterval(int64_t now_ns, int64_t interval_ns) {
    next_ns_ = std::max(now_ns, next_ns_ - interval_ns_ + interval_ns);
    interval_ns_ = interval_ns;
  }

  // From now on, after a pause in which no tick was meant to happen.
  void Restart(int64_t now_ns) { next_ns_ = now_ns; }

 private:
  int64_t interval_ns_;
  int64_t next_ns_;
  int64_t missed_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_TICKER_H_
