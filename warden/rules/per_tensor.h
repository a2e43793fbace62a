#ifndef WARDEN_RULES_PER_TENSOR_H_
#define WARDEN_RULES_PER_TENSOR_H_

#include <vector>

#include "warden/base/types.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

// Something that a rule remembers of each tensor of each worker, for each mode apart.
template <class T>
class PerTensor {
 public:
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
