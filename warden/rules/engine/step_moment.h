#ifndef WARDEN_RULES_ENGINE_STEP_MOMENT_H_
#define WARDEN_RULES_ENGINE_STEP_MOMENT_H_

#include <optional>

#include "warden/base/types.h"
#include "warden/rules/finding.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// When a finding's first step was, so that one can look up what else happened then, and whether the
// training waited for its data. Belongs to one engine; remembers the last step, since findings come
// many at a step.
class StepMoment {
 public:
  // Sets wall_time and loader_share of a finding about steps, where the run has them. Looks at that
  // step and a few before it.
  void Complete(const trial::Trial& trial, Finding* finding);

 private:
  Step step_ = -1;
  double wall_time_ = 0;
  std::optional<double> loader_share_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_STEP_MOMENT_H_
