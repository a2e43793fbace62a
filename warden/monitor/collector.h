#ifndef WARDEN_MONITOR_COLLECTOR_H_
#define WARDEN_MONITOR_COLLECTOR_H_

// The interface of a source of metrics. Sampler owns collectors and asks them on each tick; to add
// a source, implement Collector in a .cc file, declare its maker in collectors.h and its metrics in
// metric.h.

#include <chrono>
#include <cstdint>

#include "warden/monitor/tick.h"

namespace warden::monitor {

// The time of a reading, by a monotonic clock.
struct Moment {
  // The steady clock's count; of use for differences only.
  int64_t ns = 0;
  std::chrono::nanoseconds interval{0};  // Until the next tick.
};

// Reads one source of metrics. Never fails: what is not there is not measured. For one thread.
//
// Rates need two readings, so that the first one after a start reports none:
//
//   void Collect(const Moment& now, Slots* slots, Tick* tick) override {
//     const uint64_t bytes = ReadCounter();
//     const double seconds = stopwatch_.Lap(now.ns);
//     if (seconds > 0) tick->Put(slots->Of(Metric::kSwapIn), Growth(last_, bytes) / seconds);
//     last_ = bytes;
//   }
class Collector {
 public:
  virtual ~Collector() = default;

  // The shortest time between two readings that makes sense for this source, or that its cost
  // allows. Ticks in between are skipped. Asked before each tick, so that it may change.
  virtual std::chrono::milliseconds pace() const { return std::chrono::milliseconds(0); }

  // Adds what it measures to *tick, through slots of *slots; neither is owned, and both are the
  // same objects on each call. Takes a fraction of now.interval at most: the training is what the
  // machine is for. May be called again before pace() has passed, when the interval is long.
  virtual void Collect(const Moment& now, Slots* slots, Tick* tick) = 0;

  // Forgets the last reading: what comes next is a first one, without rates. Called after a pause.
  // Limits and devices that may have changed meanwhile are looked up again.
  virtual void Restart() = 0;
};

// The time between readings, for rates. For one thread.
class Stopwatch {
 public:
  // Seconds since the last call; 0 if it is the first or the clock did not move.
  double Lap(int64_t now_ns) {
    const double seconds = last_ns_ == 0 ? 0 : static_cast<double>(now_ns - last_ns_) / 1e9;
    last_ns_ = now_ns;
    return seconds > 0 ? seconds : 0;
  }
  // The next Lap is a first one.
  void Restart() { last_ns_ = 0; }

 private:
  // 0: there was no lap yet.
  int64_t last_ns_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_COLLECTOR_H_
