#ifndef WARDEN_WATCH_WATCH_LISTENER_H_
#define WARDEN_WATCH_WATCH_LISTENER_H_

#include <string>

#include "warden/rules/engine/engine.h"
#include "warden/rules/finding.h"
#include "warden/watch/summary/machine_log.h"

namespace warden::watch {

// What is reported during an evaluation, on its thread. Each does nothing by default, and
// must not block for long. The command line prints it.
class WatchListener {
 public:
  virtual ~WatchListener() = default;

  // A finding that is recorded for the first time, before anything is done about it.
  virtual void Found(const rules::RuleState& /*rule*/, const rules::Finding& /*finding*/) {}
  // A finding that an earlier evaluation has recorded, found again.
  virtual void Known(const rules::RuleState& /*rule*/, const rules::Finding& /*finding*/) {}
  // Something may have changed: a step was checked, or a moment has passed. machine: as for
  // FindIncidents; never null.
  virtual void Moment(const rules::Engine& /*engine*/, MachineLog* /*machine*/) {}
  // Something failed that does not end the evaluation: a report, an action. One sentence that may
  // contain any characters of the run.
  virtual void Problem(const std::string& /*text*/) {}
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_WATCH_LISTENER_H_
