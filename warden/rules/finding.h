#ifndef WARDEN_RULES_FINDING_H_
#define WARDEN_RULES_FINDING_H_

#include <cstdint>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::rules {

// Something that a rule found wrong, over an unbroken run of steps: of the steps at which the rule
// judged this tensor, in this mode, none from `step` to `last_step` was healthy.
struct Finding {
  int64_t id = 0;  // Counts the findings of a rule from 1, in the order in which they began.
  Step step = 0;   // Global; the first one.
  Step last_step = 0;
  int64_t count = 1;  // At how many steps.
  Mode mode = Mode::kGlobal;
  std::string worker;    // Empty: of no worker in particular. Of profiler rules: the node.
  std::string tensor;    // Empty: of no tensor in particular. Of profiler rules: the device.
  double value = 0;      // What was measured at the first step, ...
  double threshold = 0;  // ... and what it should have kept to.
  std::string message;   // One sentence for a person, about the first step.
  std::string advice;    // What to try.
  double time_s = 0;     // When it began, since 1970; 0: a matter of steps, not of time.
};

// {"id", "step", "last_step", "count", "mode", "worker", "tensor", "value", "threshold", "message",
// "advice"} and, where time matters, "time"; numbers that are not finite as the strings "NaN",
// "Infinity", "-Infinity".
Json ToJson(const Finding& finding);
// kCorrupt names the field.
Result<Finding> FindingFromJson(const Json& json);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FINDING_H_
