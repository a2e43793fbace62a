#ifndef WARDEN_ACTIONS_FIRING_METRICS_H_
#define WARDEN_ACTIONS_FIRING_METRICS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "warden/actions/event.h"

namespace warden::actions {

// How often which rule has fired in this process, for Prometheus to fetch. Safe for many threads.
class FiringMetrics {
 public:
  void Count(const Firing& firing);
  // In Prometheus' text format: warden_rule_firings_total and warden_rule_fired (1 once it has),
  // each with the labels job and rule.
  std::string Text() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, uint64_t> counts_;  // By job and rule.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_FIRING_METRICS_H_
