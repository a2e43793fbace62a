#ifndef WARDEN_RULES_LOSS_H_
#define WARDEN_RULES_LOSS_H_

// What rules about losses share: LossSpike, LossNotDecreasing, Overfit, Overtraining and
// PoorWeightInitialization. Which tensors are losses, their value, and in which mode to look at
// them.

#include <optional>

#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"
#include "warden/rules/verdicts.h"

namespace warden::rules {

// The collection "losses", unless the parameters collection_names or tensor_regex say otherwise.
// REQUIRES: the rule declares at least one of the two.
Selector LossSelector(const Params& params);

// The loss that a tensor holds; of more than one number their mean. If there is none that is
// finite, or if the tensor is a metric for which higher is better, the tensor is skipped with the
// reason.
std::optional<double> LossOf(TensorView& tensor, Verdicts* verdicts);

// Chooses the mode whose steps a rule looks at: EVAL where the run has losses there, else TRAIN,
// else GLOBAL, which is all steps. Belongs to one rule and one run.
class LossMode {
 public:
  // given: this mode always, as the user asked for it. losses: which tensors are losses. any_steps:
  // EVAL counts as soon as it has steps, with or without losses among them.
  LossMode(std::optional<Mode> given, Selector losses, bool any_steps)
      : given_(given), losses_(std::move(losses)), any_steps_(any_steps) {}

  // For a step that has losses. May change from TRAIN or GLOBAL as more of the run is known, but
  // never from EVAL back. Names of the run's tensors are searched once, the first time that it has
  // EVAL steps.
  Mode Choose(const StepView& step);

 private:
  bool HasEvalLosses(const trial::Trial& trial) const;

  const std::optional<Mode> given_;
  const Selector losses_;
  const bool any_steps_;
  bool asked_ = false;
  bool eval_losses_ = false;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_LOSS_H_
