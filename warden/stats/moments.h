#ifndef WARDEN_STATS_MOMENTS_H_
#define WARDEN_STATS_MOMENTS_H_

// How blocks of a tensor are put together without losing digits. Used by the accumulator of the
// kernels and by Merge of summaries.

#include <cmath>

namespace warden::stats {

// Sum of some values, and of their squared distances from their mean: what mean and variance are
// computed from, block by block. In long double, whose range holds the square of any double:
// nothing overflows on the way to a result that fits. A plain value.
struct Moments {
  long double count = 0;
  long double sum = 0;
  long double m2 = 0;  // Variance times count.

  // Adds the values of other. Chan's formula, which does not cancel where subtracting sums of
  // squares would. REQUIRES: other.count > 0. The order of merging changes the last digits only.
  void Merge(const Moments& other) {
    if (count == 0) {
      *this = other;
      return;
    }
    const long double total = count + other.count;
    const long double distance = other.sum / other.count - sum / count;
    m2 += other.m2 + distance * distance * (count * other.count / total);
    sum += other.sum;
    count = total;
  }

  // Sum of the squares of the values themselves. Only adds, so it cannot cancel. REQUIRES: count >
  // 0.
  long double sum_squares() const { return m2 + sum * (sum / count); }

  // As if each value had been multiplied by 2^exponent. For blocks that were scaled so that their
  // squares stay in the range of a double. Exact.
  void Scale(int exponent) {
    sum = std::scalbn(sum, exponent);
    m2 = std::scalbn(m2, 2 * exponent);
  }
};

}  // namespace warden::stats

#endif  // WARDEN_STATS_MOMENTS_H_
