#ifndef WARDEN_STATS_EXPONENTS_H_
#define WARDEN_STATS_EXPONENTS_H_

#include <array>
#include <cstdint>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// How the magnitudes of a tensor spread over powers of two: what tells whether a narrower type
// would lose small values to zero or large ones to infinity. cuda/device_summaries.h counts the
// same on a GPU.
//
//   const auto exponents = CountExponents(tensor);
//   const double lost = exponents.value().ShareBelow(-25);  // In float16, without loss scaling.

// A count for each exponent of a float32. Bin e has the magnitudes from 2^(e - 127) to below twice
// that; bin 0 has zeros and everything below 2^-126, bin 255 everything from 2^128 on, infinities
// and NaN. A plain value.
struct Exponents {
  static constexpr int kBias = 127;
  std::array<uint64_t, 256> bins = {};

  // Adds the counts of another tensor, or of another part of the same one.
  void Merge(const Exponents& other);
  uint64_t count() const;
  // The share of the values with a magnitude below 2^exponent, zeros included, and of those from
  // 2^exponent on, infinities and NaN included. 0 if there are no values.
  double ShareBelow(int exponent) const;
  double ShareFrom(int exponent) const;
};

// One pass, on one thread. kInvalidType for complex numbers and strings.
Result<Exponents> CountExponents(const TensorRef& tensor);

}  // namespace warden::stats

#endif  // WARDEN_STATS_EXPONENTS_H_
