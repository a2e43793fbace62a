#ifndef WARDEN_MONITOR_SAMPLER_H_
#define WARDEN_MONITOR_SAMPLER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "warden/monitor/collector.h"
#include "warden/monitor/tick.h"

namespace warden::monitor {

// Asks collectors, each at its own pace, and gathers what they report. Owned by Monitor, which
// calls it on each tick. For one thread.
//
//   Sampler sampler(MakeCollectors("", 0));
//   const Tick& tick = sampler.Sample({.ns = steady_ns, .interval = interval}, wall_s);
//
// What a collector cannot read is missing from the tick; the others are asked all the same.
class Sampler {
 public:
  // Owns the collectors, and asks them in this order.
  explicit Sampler(std::vector<std::unique_ptr<Collector>> collectors);

  // What there is to measure at this moment; valid until the next call. now: by the steady clock;
  // time_s: seconds since 1970, which only labels the tick. Values of collectors whose pace has not
  // passed are missing.
  const Tick& Sample(const Moment& now, double time_s);
  // After a pause: rates start over, since an average over the pause would mislead.
  void Restart();

  // Names what the ticks hold; grows, and lives as long as this.
  const Slots& slots() const { return slots_; }

 private:
  struct Paced {
    std::unique_ptr<Collector> collector;
    int64_t last_ns = 0;  // 0: never.
  };
  // In the order in which they are asked.
  std::vector<Paced> collectors_;
  Slots slots_;
  Tick tick_;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_SAMPLER_H_
