#ifndef WARDEN_CLI_MACHINE_SUMMARY_H_
#define WARDEN_CLI_MACHINE_SUMMARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/cli/terminal.h"
#include "warden/monitor/tick.h"

namespace warden::cli {

// The latest values of a machine, in a few lines for people. Used by `warden monitor`. For one
// thread at a time; Take is called from the monitor's thread, so that the caller locks.
//
//   MachineSummary summary;
//   options.on_tick = [&](const auto& tick, const auto& slots) {
//     const std::lock_guard lock(mutex);
//     summary.Take(tick, slots);
//   };
//   for (const std::string& line : summary.Lines(terminal)) out->Print("{}\n", line);
class MachineSummary {
 public:
  // Keeps the values of the tick; those that it does not have stay. slots: the same object each
  // time. Both are used during the call only.
  void Take(const monitor::Tick& tick, const monitor::Slots& slots);

  // One line each for CPU, memory, disks, network, pressure, each GPU and the training, cut to the
  // terminal's width. Names are made printable. "-" for what was not measured.
  std::vector<std::string> Lines(const Terminal& terminal) const;
  // All in one line, for a log; without colors.
  std::string Line() const;

 private:
  // A value stays until the next one of its slot: slow collectors are not asked in each tick.
  struct LastValue {
    monitor::Metric metric;
    std::string name;
    double value;
  };
  // Of all devices, without those that were not measured.
  std::vector<double> All(monitor::Metric metric) const;
  // NaN if there is none. Without a name, the first.
  double Last(monitor::Metric metric, std::string_view name = {}) const;
  // The one with the highest value; null if there is none.
  const LastValue* Highest(monitor::Metric metric) const;

  // The text of one line each, without its title and bar. Units and digits for people; "-" for what
  // is not known.
  std::string Processors() const;
  std::string Memory() const;
  std::string Disks() const;
  std::string Network() const;
  std::string Pressure() const;
  std::string Gpu(const std::string& name) const;
  std::string Training() const;

  std::vector<LastValue> values_;  // By slot.
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_MACHINE_SUMMARY_H_
