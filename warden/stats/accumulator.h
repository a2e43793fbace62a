#ifndef WARDEN_STATS_ACCUMULATOR_H_
#define WARDEN_STATS_ACCUMULATOR_H_

#include <cstddef>

#include "warden/stats/cpu/block_kernel.h"
#include "warden/stats/moments.h"
#include "warden/stats/running_product.h"
#include "warden/stats/summary.h"

namespace warden::stats {

// Puts the blocks of one tensor together, in order: the inside of Summarize (summary.h), which
// everybody else calls. Blocks with NaN, infinities or extreme magnitudes are looked at a second
// time, all others once. Allocates nothing; an unusual block takes 32 KiB of stack. For one thread.
//
//   Accumulator accumulator(Accumulator::ProductMode::kSkipIfOutOfRange);
//   for (each block) accumulator.Add<float>(data, count);
//   if (accumulator.product_known()) return accumulator.Finish();
class Accumulator {
 public:
  // kSkipIfOutOfRange leaves out the multiplications once the product cannot be a double any more.
  // In the rare case that later blocks lead back into the range, product_known() is false and the
  // tensor has to be added again to an accumulator with kExact.
  enum class ProductMode { kSkipIfOutOfRange, kExact };

  explicit Accumulator(ProductMode mode) : product_mode_(mode) {}

  // Adds the next block of count elements. T is float or double. REQUIRES: 0 < count <=
  // cpu::kBlockSize. The data need not be aligned, and is not referred to afterwards.
  template <class T>
  void Add(const std::byte* data, size_t count);

  // False if the product has to be asked for with kExact after all.
  bool product_known() const { return range_.zero_count != 0 || product_.known(); }

  // The summary of all blocks so far. REQUIRES: product_known().
  Summary Finish() const;

 private:
  // A block in which all is finite and of moderate magnitude.
  template <class T>
  void AddUsual(const std::byte* data, const cpu::BlockStats& block);
  // Any other block.
  template <class T>
  void AddUnusual(const std::byte* data, size_t count);
  // Finite elements of extreme magnitude, which it overwrites.
  void AddExtreme(double* values, const cpu::BlockStats& block);

  // Counts, minimum and maximum; counts zeros in a second look if there are any.
  template <class T>
  void AddRange(const std::byte* data, const cpu::BlockStats& block);
  // Multiplies the block only if the product can still be a double, going by the bounds of its
  // logarithm.
  template <class T>
  void AddProduct(const std::byte* data, const cpu::BlockStats& block);
  // Of elements that were all multiplied by 2^-exponent.
  template <class T>
  void AddSums(const std::byte* data, const cpu::BlockStats& block, int exponent);

  ProductMode product_mode_;
  Summary range_;  // Counts and extremes; Finish fills in the rest.
  Moments values_;
  Moments magnitudes_;
  long double sum_squares_ = 0;
  RunningProduct product_;  // Of the magnitudes. Without meaning once there was a zero.
};

}  // namespace warden::stats

#endif  // WARDEN_STATS_ACCUMULATOR_H_
