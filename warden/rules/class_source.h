#ifndef WARDEN_RULES_CLASS_SOURCE_H_
#define WARDEN_RULES_CLASS_SOURCE_H_

#include <string>

#include "warden/rules/param.h"
#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"

namespace warden::rules {

// Where labels or predictions come from: a collection, and which tensors of it. The rule Confusion
// has one for its labels and one for its predictions, and declares `collection` and `pattern` as
// inputs.
struct ClassSource {
  Selector collection;
  Selector pattern;          // Empty: all of the collection.
  bool only_inside = false;  // The user named the collection.

  // Of the tensors that the two select at a step (`inside` the collection, `named` by the pattern),
  // those that both select. Where nothing is in the collection, and the user did not name it, the
  // pattern alone decides. The views stay those of the step.
  StepView::Tensors Choose(const StepView::Tensors& inside, const StepView::Tensors& named) const;
};

// From the parameters <what>, a pattern, and <what>_collection; where the latter is not given also
// the tensors with the role <what>. what: "labels" or "predictions".
ClassSource SourceFrom(const Params& params, const std::string& what);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLASS_SOURCE_H_
