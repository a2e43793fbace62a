#ifndef WARDEN_TIMELINE_HOST_CLOCKS_H_
#define WARDEN_TIMELINE_HOST_CLOCKS_H_

// Clocks of the hosts of a run: what puts the events of several machines into one order. The files
// keep the times of the machine that wrote them; views that merge hosts move them. Estimated by
// view/series/host_clock_reader.h. Pure functions, safe for many threads.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warden::timeline {

// How far the clock of a host is ahead of the clock that all times are counted by.
struct HostClock {
  std::string host;     // As timelines name it: "algo-2", "node-17".
  std::string metrics;  // As its system metrics name it, where that differs; or empty.
  int64_t ahead_us = 0;
  int64_t error_us = 0;
};

// Only hosts whose times are to be moved.
using HostClocks = std::vector<HostClock>;

// Host and process of a node: "algo-1-88", "88-myhost" and, of PyTorch's own traces, "myhost_88".
// The process is empty if the node has none. Refers to the argument.
std::pair<std::string_view, std::string_view> SplitNode(std::string_view node);

// How far the clock of a host is ahead; 0 if it is not in the list. host: as timelines or metrics
// name it. File names have '-' for '_', so that both count as the same.
int64_t AheadUs(const HostClocks& clocks, std::string_view host);

// The largest of all distances, in either direction; 0 if there is none.
int64_t FarthestUs(const HostClocks& clocks);

// "clock of algo-2 moved by −12.3 ms ± 0.4 ms": what was done to the times of the host.
std::string WordsOf(const HostClock& clock);

// Whether a profiler's folder has files of at least two hosts, by their names.
bool HasSeveralHosts(const std::string& folder);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_HOST_CLOCKS_H_
