#ifndef WARDEN_VIEW_SERIES_HOST_CLOCK_READER_H_
#define WARDEN_VIEW_SERIES_HOST_CLOCK_READER_H_

#include <string>

#include "warden/timeline/host_clocks.h"
#include "warden/trial/trial.h"

namespace warden::view {

// The clocks of the hosts of a distributed training whose times have to be moved, by the moments at
// which the first worker of each left an exchange of gradients (ClockOffset); the others are
// compared with that of the first worker. Only with evidence: from at least three exchanges, and
// farther off than its own error. A machine has one clock, whatever its hosts are called. Reads at
// most 200 steps, spread evenly over the run. What cannot be read is left out.
timeline::HostClocks ReadHostClocks(const trial::Trial& trial);

// The same for what is saved at a place now: a folder or URL; it need not exist. Nothing is read if
// the profiler's folder has data of one host only.
timeline::HostClocks HostClocksOf(const std::string& tensors, const std::string& profile);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_HOST_CLOCK_READER_H_
