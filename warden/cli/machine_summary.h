#ifndef WARDEN_CLI_MACHINE_SUMMARY_H_
#define WARDEN_CLI_MACHINE_SUMMARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/cli/terminal.h"
#include "warden/monitor/tick.h"

namespace warden::cli {

// The latest values of a machine, in a few lines for people. For one thread.
class MachineSummary {
 public:
  void Take(const monitor::Tick& tick, const monitor::Slots& slots);

  // One line each for CPU, memory, disks, network, pressure, each GPU and the training. Names are
  // made printable.
  std::vector<std::string> Lines(const Terminal& terminal) const;
  // All in one line.
  std::string Line() const;

 private:
  struct Figure {
    monitor::Metric metric;
    std::string name;
    double value;
  };
  std::vector<double> All(monitor::Metric metric) const;
  // NaN if there is none. Without a name, the first.
  double Last(monitor::Metric metric, std::string_view name = {}) const;
  // The one with the highest value; null if there is none.
  const Figure* Highest(monitor::Metric metric) const;

  std::string Processors() const;
  std::string Memory() const;
  std::string Disks() const;
  std::string Network() const;
  std::string Pressure() const;
  std::string Gpu(const std::string& name) const;
  std::string Training() const;

  std::vector<Figure> figures_;  // By slot.
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_MACHINE_SUMMARY_H_
