#ifndef WARDEN_STATS_CPU_BLOCK_KERNEL_H_
#define WARDEN_STATS_CPU_BLOCK_KERNEL_H_

#include <cstddef>
#include <cstdint>

// The loops over elements, on the best instruction set of this CPU, chosen at run time. They work
// on blocks: some thousand floats or doubles, given as bytes because they need not be aligned.
// Where a block lies does not change a bit of any result. What blocks add up to is accumulator.h's
// business, and Summarize (summary.h) is what everybody else calls. Nothing here allocates or keeps
// a pointer; all functions are safe for many threads.
namespace warden::stats::cpu {

// Elements of one block at most: small enough to be in the cache for a second look, large enough to
// make the work done once for each block disappear.
inline constexpr size_t kBlockSize = 4096;

// What one sweep over a block finds. If any element is not finite, `squares` is not finite either,
// and the other fields mean nothing.
struct BlockStats {
  uint64_t count = 0;
  uint64_t negative_count = 0;  // Below zero.
  double min = 0;
  double max = 0;
  double abs_min = 0;  // 0: there is a zero, which CountZeros counts.

  double shift = 0;    // A guess at the mean.
  double sum = 0;      // Of x - shift.
  double squares = 0;  // Of x - shift, squared.
  double abs_sum = 0;  // Of |x|.

  // The binary logarithm of the product of all |x| lies between these two, if none is subnormal or
  // zero; else below the second.
  double log2_prod_low = 0;
  double log2_prod_high = 0;
};

// Sums of x - shift, and of its squares.
struct Distances {
  double sum = 0;
  double squares = 0;
};

// mantissa * 2^exponent: no order of factors over- or underflows.
struct Product {
  double mantissa = 1;
  int64_t exponent = 0;
};

// All that one pass can find. The data behind the block is prefetched, as the next block is
// expected there. T is float or double, here and below. REQUIRES, for all functions: 0 < count <=
// kBlockSize, and count readable elements at data.
template <class T>
BlockStats Sweep(const std::byte* data, size_t count);

// Sums of the distances of all elements, or of their absolute values, from `shift`: a second look
// at a block for which the guess of Sweep was bad.
template <class T>
Distances SumDistances(const std::byte* data, size_t count, T shift, bool abs);

// Of the absolute values. REQUIRES: none of them is zero, subnormal (if T is double) or not finite.
template <class T>
Product Multiply(const std::byte* data, size_t count);

// Zeros of both signs.
template <class T>
uint64_t CountZeros(const std::byte* data, size_t count);

// Converts half-precision numbers, exactly; NaN and infinities stay what they are. REQUIRES: room
// for count floats at out.
void WidenFloat16(const std::byte* data, size_t count, float* out);
void WidenBFloat16(const std::byte* data, size_t count, float* out);

}  // namespace warden::stats::cpu

#endif  // WARDEN_STATS_CPU_BLOCK_KERNEL_H_
