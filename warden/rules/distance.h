#ifndef WARDEN_RULES_DISTANCE_H_
#define WARDEN_RULES_DISTANCE_H_

// How far a tensor moved between two steps, for the rule WeightUpdateRatio. One pass, without
// copies, safe against overflow of the squares.

#include <cstdint>

#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// l2 norms over the positions at which the tensor is finite at both steps. Both are 0 if places is
// 0, and `before` is also 0 for a weight of zeros: check before dividing.
struct Distance {
  double change = 0;    // Of after - before.
  double before = 0;    // Of before.
  uint64_t places = 0;  // How many positions.
};

// No places if the tensors do not hold real numbers. REQUIRES: both have the same number of values
// and the same type. Sums are computed in double, and again in a wider type if they leave its range
// or something is not finite. Reads both tensors once or twice and keeps nothing. For any thread.
Distance DistanceBetween(const stats::TensorRef& after, const stats::TensorRef& before);

}  // namespace warden::rules

#endif  // WARDEN_RULES_DISTANCE_H_
