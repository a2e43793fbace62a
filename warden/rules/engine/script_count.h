#ifndef WARDEN_RULES_ENGINE_SCRIPT_COUNT_H_
#define WARDEN_RULES_ENGINE_SCRIPT_COUNT_H_

#include <cstdint>
#include <optional>

#include "warden/base/types.h"
#include "warden/rules/finding.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// How the training script counts: optimizer steps and epochs, as they were observed of its loop
// (docs/formats/training.md). A step of ours is a forward pass, which is in nobody's log. Belongs
// to one engine; remembers the last step, since findings come many at a step.
class ScriptCount {
 public:
  // Sets optimizer_step and epoch to those of the finding's first step, where the run has them. In
  // a step of training at which they were not saved, the optimizer's steps go on as they did
  // between those at which they were.
  void Complete(const trial::Trial& trial, Finding* finding);

 private:
  Step step_ = -1;
  std::optional<int64_t> optimizer_step_;
  std::optional<int64_t> epoch_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_SCRIPT_COUNT_H_
