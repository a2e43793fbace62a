#ifndef WARDEN_RULES_PAST_VALUES_H_
#define WARDEN_RULES_PAST_VALUES_H_

#include <cstddef>
#include <deque>
#include <string_view>

#include "warden/base/types.h"
#include "warden/trial/tensor_value.h"

namespace warden::rules {

// Why rules about how a tensor changes in training skipped it.
inline constexpr std::string_view kNotTraining = "not saved at training steps";

// A tensor at an earlier step of the same mode. The bytes stay those of the step's file.
struct PastValue {
  Step step = 0;  // Global.
  Step mode_step = 0;
  trial::TensorValue value;
};

// Oldest first.
using PastValues = std::deque<PastValue>;

inline void KeepLast(PastValues* past, size_t count) {
  while (past->size() > count) past->pop_front();
}
inline void DropBefore(PastValues* past, Step mode_step) {
  while (!past->empty() && past->front().mode_step < mode_step) past->pop_front();
}

}  // namespace warden::rules

#endif  // WARDEN_RULES_PAST_VALUES_H_
