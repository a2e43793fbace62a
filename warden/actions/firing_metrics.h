#ifndef WARDEN_ACTIONS_FIRING_METRICS_H_
#define WARDEN_ACTIONS_FIRING_METRICS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "warden/actions/event.h"

namespace warden::actions {

// How often which rule has fired in this process, for Prometheus to fetch. Owned by ActionMaker,
// which shares it between the action that counts and the server that answers. Counts are lost with
// the process, as Prometheus expects of a counter. Safe for many threads.
class FiringMetrics {
 public:
  // Adds one to the firing's job and rule (the name under which the user configured it).
  void Count(const Firing& firing);
  // In Prometheus' text format: warden_rule_firings_total and warden_rule_fired (1 once it has),
  // each with the labels job and rule. Names may be any bytes: they are escaped, and made valid
  // UTF-8.
  std::string Text() const;

 private:
  // Guards counts_.
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, uint64_t> counts_;  // By job and rule.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_FIRING_METRICS_H_
