#ifndef WARDEN_RULES_DISTANCE_H_
#define WARDEN_RULES_DISTANCE_H_

// How far a tensor moved between two steps, for the rule WeightUpdateRatio. One pass, without
// copies, safe against overflow of the squares.

#include <cstdint>

#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// l2 norms over the positions at which the tensor is finite at both steps.
struct Distance {
  double change = 0;    // Of after - before.
  double before = 0;    // Of before.
  uint64_t places = 0;  // How many positions.
};

// No places if the tensors do not hold real numbers. REQUIRES: both have the same number of values
// and the same type.
Distance DistanceBetween(const stats::TensorRef& after, const stats::TensorRef& before);

}  // namespace warden::rules

#endif  // WARDEN_RULES_DISTANCE_H_
