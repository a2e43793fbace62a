#ifndef WARDEN_RULES_CLASS_SOURCE_H_
#define WARDEN_RULES_CLASS_SOURCE_H_

#include <string>

#include "warden/rules/param.h"
#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"

namespace warden::rules {

// Where labels or predictions come from: a collection, and which tensors of it.
struct ClassSource {
  Selector collection;
  Selector pattern;          // Empty: all of the collection.
  bool only_inside = false;  // The collection was asked for.

  // Of the tensors that the two select at a step those that both do. Where nothing is in the
  // collection, and it was not asked for, the pattern alone decides.
  StepView::Tensors Choose(const StepView::Tensors& inside, const StepView::Tensors& named) const;
};

// By the parameters <what>, a pattern, and <what>_collection; where the latter is not given also
// what plays the role <what>.
ClassSource SourceFrom(const Params& params, const std::string& what);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLASS_SOURCE_H_
