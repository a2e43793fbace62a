#ifndef WARDEN_RULES_UNITS_H_
#define WARDEN_RULES_UNITS_H_

// Views of a tensor by the units of its layer. Used by DeadRelu and SaturatedActivation, which
// count units whose values stay inside limits, and by CheckInputImages, which looks at channels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warden/stats/moments.h"
#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// How a tensor is divided into the values of its units (neurons, channels) over the batch and the
// positions in space. Value (o, u, i) is element (o * units + u) * inner + i, in C order. Of shape
// (N, C, H, W) along axis 1: outer is N, units is C, inner is H * W.
struct Units {
  size_t outer = 1;
  size_t units = 1;
  size_t inner = 1;
};

// The units along one axis. REQUIRES: axis < shape.size().
Units UnitsOf(std::span<const int64_t> shape, size_t axis);
// Of an activation: axis 1, or 0 if there is no other; a scalar is one unit. PyTorch's layout, with
// the batch on axis 0. TensorFlow's channels are on the last axis: there each position along axis 1
// counts as a unit.
Units UnitsOfActivation(std::span<const int64_t> shape);

// Counts of one unit.
struct InsideCount {
  uint64_t finite = 0;      // Values that are finite, ...
  uint64_t inside = 0;      // ... and those of them that lie strictly between two limits.
  double percent() const {  // 0 to 100. REQUIRES: finite > 0.
    return 100.0 * static_cast<double>(inside) / static_cast<double>(finite);
  }
};

// For each unit, how many of its finite values lie strictly between low and high, which may be
// infinite. Empty if the tensor does not hold real numbers. One pass; NaN and infinities are in
// neither count. REQUIRES: `units` is of the tensor's shape.
std::vector<InsideCount> CountInside(const stats::TensorRef& tensor, const Units& units, double low,
                                     double high);

// Moments of the finite values of each unit; count is 0 where there are none. Empty if the tensor
// does not hold real numbers. REQUIRES: `units` is of the tensor's shape.
std::vector<stats::Moments> UnitMoments(const stats::TensorRef& tensor, const Units& units);

}  // namespace warden::rules

#endif  // WARDEN_RULES_UNITS_H_
