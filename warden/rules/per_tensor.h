#ifndef WARDEN_RULES_PER_TENSOR_H_
#define WARDEN_RULES_PER_TENSOR_H_

// The memory of a rule from step to step. Most rules for tensors have one of these as their only
// state; see past_values.h for one that keeps values.

#include <vector>

#include "warden/base/types.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

// Something that a rule remembers of each tensor of each worker, separately for each mode: a
// history, a tally. Belongs to one rule. Memory grows with the number of tensors, not of steps.
//
//   RunningWindow& recent = windows_.Of(*tensor, step.mode());
template <class T>
class PerTensor {
 public:
  // The item of this tensor and mode, value-initialized at first. The reference is valid until the
  // next call with a tensor that is new. Constant time: tensor IDs are small numbers that the
  // engine gives out. kGlobal is a fourth mode here, for what a rule counts over all modes.
  // REQUIRES: tensors of one engine only.
  T& Of(const TensorView& tensor, Mode mode) {
    const size_t at = tensor.id() * kAllModes.size() + ModeIndex(mode);
    if (at >= items_.size()) items_.resize(at + 1);
    return items_[at];
  }

 private:
  std::vector<T> items_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PER_TENSOR_H_
