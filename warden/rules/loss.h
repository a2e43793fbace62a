#ifndef WARDEN_RULES_LOSS_H_
#define WARDEN_RULES_LOSS_H_

#include <optional>

#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"
#include "warden/rules/verdicts.h"

namespace warden::rules {

// What rules about losses share.

// The collection of losses, unless collection_names or tensor_regex say otherwise. REQUIRES: the
// rule declares at least one of the two.
Selector LossSelector(const Params& params);

// The loss that a tensor holds: of more than one number their mean. If there is none that is
// finite, the tensor is skipped with the reason.
std::optional<double> LossOf(TensorView& tensor, Verdicts* verdicts);

// Whose steps a rule is to look at: EVAL where it has losses, else TRAIN, else GLOBAL, which is all
// steps.
class LossMode {
 public:
  // given: not to be chosen. losses: which tensors are losses.
  // any_steps: a mode counts that has steps, be there losses among them or not.
  LossMode(std::optional<Mode> given, Selector losses, bool any_steps)
      : given_(given), losses_(std::move(losses)), any_steps_(any_steps) {}

  // For a step that has losses. It may change with what is known of the run, but not from EVAL.
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
