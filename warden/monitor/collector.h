#ifndef WARDEN_MONITOR_COLLECTOR_H_
#define WARDEN_MONITOR_COLLECTOR_H_

#include <chrono>
#include <cstdint>

#include "warden/monitor/tick.h"

namespace warden::monitor {

// The time of a reading, by a clock that nobody sets.
struct Moment {
  int64_t ns = 0;
  std::chrono::nanoseconds interval{0};  // Until the next tick.
};

// Reads one source of figures. Never fails: what is not there is not measured. For one thread.
class Collector {
 public:
  virtual ~Collector() = default;

  // The shortest time between two readings that makes sense of this source, or that its price
  // allows. Ticks in between are passed over.
  virtual std::chrono::milliseconds pace() const { return std::chrono::milliseconds(0); }

  virtual void Collect(const Moment& now, Slots* slots, Tick* tick) = 0;

  // Forgets the last reading: what comes next is a first one, without rates.
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
  void Restart() { last_ns_ = 0; }

 private:
  int64_t last_ns_ = 0;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_COLLECTOR_H_
