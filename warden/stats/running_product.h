#ifndef WARDEN_STATS_RUNNING_PRODUCT_H_
#define WARDEN_STATS_RUNNING_PRODUCT_H_

#include <cstdint>

#include "warden/stats/cpu/block_kernel.h"

namespace warden::stats {

// The product of many magnitudes, none of them zero: a part of Accumulator. Products of whole
// tensors nearly always leave the range of double; bounds on the logarithm, which cost little, then
// replace the exact product. For one thread.
//
//   if (product.CanSkip(low, high)) product.Skip(low, high);
//   else product.Multiply(cpu::Multiply<float>(data, count));
class RunningProduct {
 public:
  // Takes in a factor exactly, but for rounding. REQUIRES: its mantissa is positive and finite.
  void Multiply(const cpu::Product& factor);

  // Whether the product is known to be out of range once a factor within the bounds is added, so
  // that Skip can take the place of Multiply. The bounds are binary logarithms of the factor; the
  // lower one may be minus infinity.
  bool CanSkip(double log2_low, double log2_high) const;
  void Skip(double log2_low, double log2_high);

  // False if what was skipped turned out to matter: later factors led back into the range. The
  // whole product has to be computed again then, without Skip.
  bool known() const;
  // Infinity or zero if out of range. REQUIRES: known().
  double value() const;

 private:
  double exponent_low() const { return static_cast<double>(exponent_ - 1) + skipped_low_; }
  double exponent_high() const { return static_cast<double>(exponent_) + skipped_high_; }

  double mantissa_ = 1;  // 0.5 to 1, once there was a factor.
  int64_t exponent_ = 0;
  bool skipped_ = false;
  double skipped_low_ = 0;
  double skipped_high_ = 0;
};

}  // namespace warden::stats

#endif  // WARDEN_STATS_RUNNING_PRODUCT_H_
