#ifndef WARDEN_RULES_PROFILER_METRICS_HOST_H_
#define WARDEN_RULES_PROFILER_METRICS_HOST_H_

// Which machine a span ran on. Timelines name processes ("algo-1-88"), metrics name machines
// ("algo-1"); the rules Dataloader, CPUBottleneck and IOBottleneck combine both.

#include <string_view>

namespace warden::rules {

// The machine of a span's node, which names a process on it: "algo-1" of "algo-1-88", "big" of
// "88-big". The node itself if it does not contain a process number. Refers to the argument.
std::string_view HostOf(std::string_view node);

// Whether it is a name as metrics have it: "algo-" and a number.
bool IsMetricsHost(std::string_view host);

// Finds the machine with metrics that a span's node is on, in a map whose keys are names; end() if
// there is none. Outside of a cluster metrics call the machine algo-1 and the timeline uses its
// host name: a single machine is then the one.
template <class Map>
auto FindHost(Map& machines, std::string_view node) {
  const std::string_view host = HostOf(node);
  for (auto at = machines.begin(); at != machines.end(); ++at) {
    if (at->first == host || at->first == node) return at;
  }
  return machines.size() == 1 && !IsMetricsHost(host) ? machines.begin() : machines.end();
}

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_METRICS_HOST_H_
