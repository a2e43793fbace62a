#ifndef WARDEN_MONITOR_TICKER_H_
#define WARDEN_MONITOR_TICKER_H_

#include <algorithm>
#include <cstdint>

namespace warden::monitor {

// Moments at equal distances, by a monotonic clock: a tick that comes late does not shift those
// after it, and ticks that were missed are counted, not made up for. Only arithmetic: the caller
// reads the clock and waits. All times in nanoseconds; intervals are positive. For one thread.
//
//   if (now >= ticker.next_ns()) { ticker.Advance(now); Measure(); }
//
// Values of a machine are compared between hosts by time, so ticks must not drift: with an interval
// of 500 ms a run of an hour has 7200 of them, less those that are counted as missed.
class Ticker {
 public:
  // The first tick is due at once.
  Ticker(int64_t now_ns, int64_t interval_ns) : interval_ns_(interval_ns), next_ns_(now_ns) {}

  // When the next tick is due.
  int64_t next_ns() const { return next_ns_; }
  // Between ticks.
  int64_t interval_ns() const { return interval_ns_; }
  // Ticks that Advance skipped, in total.
  int64_t missed() const { return missed_; }

  // The tick of next_ns() happens now; next_ns() becomes a time after now_ns.
  void Advance(int64_t now_ns) {
    const int64_t late = std::max<int64_t>(0, now_ns - next_ns_) / interval_ns_;
    missed_ += late;
    next_ns_ += (late + 1) * interval_ns_;
  }

  // The next tick is due one new interval after the last, or at once if that has passed. Missed
  // ticks of the old interval are not counted.
  void SetInterval(int64_t now_ns, int64_t interval_ns) {
    next_ns_ = std::max(now_ns, next_ns_ - interval_ns_ + interval_ns);
    interval_ns_ = interval_ns;
  }

  // From now on, after a pause in which no tick was meant to happen: those do not count as missed.
  void Restart(int64_t now_ns) { next_ns_ = now_ns; }

 private:
  int64_t interval_ns_;
  int64_t next_ns_;
  int64_t missed_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_TICKER_H_
