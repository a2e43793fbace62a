#ifndef WARDEN_STATS_ACCUMULATOR_H_
#define WARDEN_STATS_ACCUMULATOR_H_

#include <cstddef>
#include <cstdint>

#include "warden/stats/cpu/block_kernel.h"
#include "warden/stats/moments.h"
#include "warden/stats/summary.h"

namespace warden::stats {

// Elements of one block: small enough that a block with something unusual in it is still in the
// cache for a second look, large enough to make the work done once for each block disappear.
inline constexpr size_t kBlockSize = 4096;

// Puts the blocks of one tensor together, in order. Allocates nothing.
class Accumulator {
 public:
  // T is float or double. REQUIRES: 0 < count <= kBlockSize. The data need not be aligned.
  template <class T>
  void Add(const T* data, size_t count);

  Summary Finish() const;

 private:
  void AddUsual(const cpu::BlockStats& block);
  // A block with elements that are not finite or of extreme magnitude.
  template <class T>
  void AddUnusual(const T* data, size_t count);
  // Finite elements of extreme magnitude, which it overwrites.
  void AddExtreme(double* data, const cpu::BlockStats& block);

  void AddRange(const cpu::BlockStats& block);
  // Of elements that were all multiplied by 2^-exponent.
  void AddSums(const cpu::BlockStats& block, int exponent);
  void AddProduct(double mantissa, int64_t exponent);

  Summary range_;  // Counts and extremes; Finish fills in the rest.
  Moments values_;
  Moments magnitudes_;
  long double sum_squares_ = 0;
  double mantissa_ = 1;  // Of the product of all magnitudes, with exponent_.
  int64_t exponent_ = 0;
};

}  // namespace warden::stats

#endif  // WARDEN_STATS_ACCUMULATOR_H_
