#include "warden/monitor/sampler.h"

#include <utility>

namespace warden::monitor {

Sampler::Sampler(std::vector<std::unique_ptr<Collector>> collectors) {
  for (auto& collector : collectors) collectors_.push_back({std::move(collector)});
}

const Tick& Sampler::Sample(const Moment& now, double time_s) {
  tick_.time_s = time_s;
  tick_.values.clear();
  for (Paced& paced : collectors_) {
    const std::chrono::nanoseconds pace = paced.collector->pace();
    // Ticks are never quite on time: one that is nearly a pace after the last will do.
    const int64_t due_ns = paced.last_ns + (pace - now.interval / 2).count();
    if (paced.last_ns != 0 && now.ns < due_ns) continue;
    paced.last_ns = now.ns;
    paced.collector->Collect(now, &slots_, &tick_);
  }
  return tick_;
}

void Sampler::Restart() {
  for (Paced& paced : collectors_) {
    paced.last_ns = 0;
    paced.collector->Restart();
  }
}

}  // namespace warden::monitor
