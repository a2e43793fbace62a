#ifndef WARDEN_RULES_UNITS_H_
#define WARDEN_RULES_UNITS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warden/stats/moments.h"
#include "warden/stats/tensor_ref.h"

namespace warden::rules {

// A tensor seen as that of a layer: the values of its units (neurons, channels) over the batch and
// the positions in space. Value (o, u, i) is element (o * units + u) * inner + i.
struct Units {
  size_t outer = 1;
  size_t units = 1;
  size_t inner = 1;
};

// REQUIRES: axis is one of the shape.
Units UnitsOf(std::span<const int64_t> shape, size_t axis);
// Of an activation: axis 1, or 0 if there is no other; a scalar is one unit.
Units UnitsOfActivation(std::span<const int64_t> shape);

// Of one unit.
struct InsideCount {
  uint64_t finite = 0;  // Values that are finite, ...
  uint64_t inside = 0;  // ... and those of them that lie strictly between two limits.
  double percent() const {
    return 100.0 * static_cast<double>(inside) / static_cast<double>(finite);
  }
};

// For each unit. Empty if the tensor holds no real numbers.
std::vector<InsideCount> CountInside(const stats::TensorRef& tensor, const Units& units, double low,
                                     double high);

// Of the finite values of each unit. Empty if the tensor holds no real numbers.
std::vector<stats::Moments> UnitMoments(const stats::TensorRef& tensor, const Units& units);

}  // namespace warden::rules

#endif  // WARDEN_RULES_UNITS_H_
