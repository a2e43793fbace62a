#ifndef WARDEN_RULES_FIRST_NAN_H_
#define WARDEN_RULES_FIRST_NAN_H_

// Where the hook itself found the first value that is not finite: it runs such a step again and
// looks at each operator (docs/formats/training.md, fact first_nan). For NaNOrigin and Divergence.

#include <optional>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/types.h"
#include "warden/rules/confidence.h"
#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"

namespace warden::rules {

struct FirstNan {
  Step step = -1;      // At which it happened.
  std::string phase;   // "input", "forward", "loss", "backward", "optimizer" or "weights".
  std::string tensor;  // Its name, as if it had been saved.
  std::string worker;  // Of a distributed training; otherwise empty.
  std::string what;    // "softmax in the forward pass of Attention (model.py:8)".

  // High where the operators of the step were looked at; nothing where only the weights were,
  // after the optimizer had used the gradients.
  std::optional<Confidence> confidence() const;
};

// The tensors that FirstNansIn expects.
Selector FirstNanInput();

// The fact among others; step -1 if it is not there.
FirstNan FirstNanOf(const Json& facts);

// What each worker found, of the facts saved at a step. Facts are saved again and again, so the
// same may come at later steps.
std::vector<FirstNan> FirstNansIn(const StepView::Tensors& tensors);

}  // namespace warden::rules

#endif  // WARDEN_RULES_FIRST_NAN_H_
