#ifndef WARDEN_MONITOR_TICK_H_
#define WARDEN_MONITOR_TICK_H_

// What the monitor measures at one moment, on its way from the collectors to files and live
// displays. Values refer to metrics by number, so that a tick of hundreds of values allocates
// nothing. Nothing here locks: all of it belongs to the thread of one monitor.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/monitor/metric.h"

namespace warden::monitor {

// A metric of one device, by its number in a Slots: stays the same as long as that exists.
using SlotId = uint32_t;

// A metric of one device.
struct Slot {
  Metric metric;
  std::string name;   // "cpu3".
  std::string start;  // Of its line in a file, up to the value: made once.
};

// All that was ever measured by one monitor. Owned by its Sampler. For one thread.
//
//   tick->Put(slots->Of(Metric::kGpuPower, "gpu0"), 412.5);
//
// Only grows: a device that is gone keeps its slot, and has no values.
class Slots {
 public:
  // The slot of this metric and device, made if there is none. Searches all of them: a collector
  // with many devices should remember its slots.
  SlotId Of(Metric metric, std::string_view name);
  // Of a metric with one name only. REQUIRES: its name in the catalog has no "<...>".
  SlotId Of(Metric metric) { return Of(metric, Describe(metric).name); }

  // REQUIRES: an ID that Of returned. Valid until the next call of Of.
  const Slot& operator[](SlotId id) const { return slots_[id]; }
  size_t size() const { return slots_.size(); }

 private:
  std::vector<Slot> slots_;
};

// What was measured at one moment, in the units of the catalog (metric.h). What a collector cannot
// read is missing from a tick, not zero.
struct Tick {
  struct Value {
    SlotId slot;
    double value;
  };
  double time_s = 0;          // Since 1970.
  std::vector<Value> values;  // Finite; kept between ticks, so that nothing is allocated.

  // Adds a value; skips one that is not finite, so that "not measured" may be NaN.
  void Put(SlotId slot, double value);
};

// Appends the tick as lines of a metrics file (format/metric_line.h), one for each value. Whole
// numbers are exact, others have six significant digits. node is written as it is: see IsNodeName.
void AppendTick(const Tick& tick, const Slots& slots, std::string_view node, std::string* out);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_TICK_H_
