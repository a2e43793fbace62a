#ifndef WARDEN_RULES_DISTANCE_H_
#define WARDEN_RULES_DISTANCE_H_

#include <cstdint>

#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// How far a tensor went from one step to another: l2 norms over the places at which it is finite
// at both.
struct Distance {
  double change = 0;    // Of after - before.
  double before = 0;    // Of before.
  uint64_t places = 0;  // How many.
};

// No places if either holds no real numbers. REQUIRES: both have the same number of values and the
// same type.
Distance DistanceBetween(const stats::TensorRef& after, const stats::TensorRef& before);

}  // namespace warden::rules

#endif  // WARDEN_RULES_DISTANCE_H_
