#ifndef WARDEN_MONITOR_TICK_H_
#define WARDEN_MONITOR_TICK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/monitor/metric.h"

namespace warden::monitor {

// A metric of one device, by its number in a Slots.
using SlotId = uint32_t;

struct Slot {
  Metric metric;
  std::string name;   // "cpu3".
  std::string start;  // Of its line in a file, up to the value: made once.
};

// All that was ever measured by one monitor.
class Slots {
 public:
  // The slot of this metric and device, made if there is none. Goes through all of them, so that
  // what has many devices should remember theirs.
  SlotId Of(Metric metric, std::string_view name);
  // Of a metric with one name only.
  SlotId Of(Metric metric) { return Of(metric, Describe(metric).name); }

  const Slot& operator[](SlotId id) const { return slots_[id]; }
  size_t size() const { return slots_.size(); }

 private:
  std::vector<Slot> slots_;
};

// What was measured at one moment.
struct Tick {
  struct Value {
    SlotId slot;
    double value;
  };
  double time_s = 0;          // Since 1970.
  std::vector<Value> values;  // Finite; kept between ticks, so that nothing is allocated.

  // Leaves out what is not finite.
  void Put(SlotId slot, double value);
};

// The tick as lines of a metrics file.
void AppendTick(const Tick& tick, const Slots& slots, std::string_view node, std::string* out);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_TICK_H_
