#ifndef WARDEN_RULES_STEP_VIEW_H_
#define WARDEN_RULES_STEP_VIEW_H_

#include <span>
#include <string_view>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/tensor_view.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// One complete step as one rule sees it: for each of its inputs, in the order in which it declared
// them, the tensors that were saved at this step, by name, then worker.
//
// The engine makes one for each rule and step and passes it to Rule::Evaluate; it and the tensors
// behind it are valid during that call only.
//
//   for (TensorView* tensor : step.Input(0)) Check(*tensor, verdicts);
class StepView {
 public:
  using Tensors = std::vector<TensorView*>;  // Owned by the StepTensors; never null.

  // `trial` and the lists of `inputs` outlive this.
  StepView(Step step, trial::ModeStep mode, const trial::Trial& trial,
           std::vector<const Tensors*> inputs)
      : step_(step), mode_(mode), trial_(trial), inputs_(std::move(inputs)) {}

  Step step() const { return step_; }  // Global.
  Mode mode() const { return mode_.mode; }
  Step mode_step() const { return mode_.step; }  // Counted in its mode.
  // Whether it is a step of training as far as is known: runs without modes have kGlobal steps
  // alone.
  bool IsTraining() const { return mode() == Mode::kTrain || mode() == Mode::kGlobal; }

  // The tensors of one input; empty if none was saved at this step. REQUIRES: input <
  // inputs().size().
  const Tensors& Input(size_t input) const { return *inputs_[input]; }

  // The run that the step is of, to look at other steps. Reading many of them costs time.
  const trial::Trial& trial() const { return trial_; }

 private:
  Step step_;
  trial::ModeStep mode_;
  const trial::Trial& trial_;
  std::vector<const Tensors*> inputs_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_STEP_VIEW_H_
