#ifndef WARDEN_MONITOR_SAMPLER_H_
#define WARDEN_MONITOR_SAMPLER_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "warden/monitor/collector.h"
#include "warden/monitor/tick.h"

namespace warden::monitor {

// Asks collectors, each at its own pace. For one thread.
class Sampler {
 public:
  explicit Sampler(std::vector<std::unique_ptr<Collector>> collectors);

  // What there is to measure at this moment; lives until the next call.
  const Tick& Sample(const Moment& now, double time_s);
  // After a pause: rates begin anew.
  void Restart();

  const Slots& slots() const { return slots_; }

 private:
  struct Paced {
    std::unique_ptr<Collector> collector;
    int64_t last_ns = 0;  // 0: never.
  };
  std::vector<Paced> collectors_;
  Slots slots_;
  Tick tick_;
};

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_SAMPLER_H_
