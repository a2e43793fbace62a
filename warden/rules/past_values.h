#ifndef WARDEN_RULES_PAST_VALUES_H_
#define WARDEN_RULES_PAST_VALUES_H_

// Values of a tensor at earlier steps, for the rules that compare a tensor with itself:
// UnchangedTensor and WeightUpdateRatio keep them in a PerTensor<PastValues>.

#include <cstddef>
#include <deque>
#include <string_view>

#include "warden/base/types.h"
#include "warden/trial/tensor_value.h"

namespace warden::rules {

// Reason for Verdicts::Skip. Used where a rule compares training steps only, and a tensor was saved
// in other modes alone.
inline constexpr std::string_view kNotTraining = "not saved at training steps";

// A tensor at an earlier step of the same mode. The bytes stay those of the step's file, which is
// mapped as long as a copy of the value lives: keep few of them. A file that is removed meanwhile
// stays readable through its mapping.
struct PastValue {
  Step step = 0;       // Global.
  Step mode_step = 0;  // Counted in the mode.
  trial::TensorValue value;
};

// Oldest first.
using PastValues = std::deque<PastValue>;

// Drops the oldest until at most `count` are left.
inline void KeepLast(PastValues* past, size_t count) {
  while (past->size() > count) past->pop_front();
}
// Drops those before this step of the mode. mode_step: counted in the mode, as the steps of
// PastValue are in one deque. For rules whose window is a number of training steps rather than of
// saved ones.
inline void DropBefore(PastValues* past, Step mode_step) {
  while (!past->empty() && past->front().mode_step < mode_step) past->pop_front();
}

}  // namespace warden::rules

#endif  // WARDEN_RULES_PAST_VALUES_H_
