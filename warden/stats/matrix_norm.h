#ifndef WARDEN_STATS_MATRIX_NORM_H_
#define WARDEN_STATS_MATRIX_NORM_H_

#include "warden/stats/summary.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// Norms of a matrix of real numbers, which a Summary cannot give: the inside of ComputeReduction
// (reductions.h). Safe for many threads. REQUIRES: rank 2, at least one element, neither complex
// numbers nor strings.

// The l1 norm: the largest of the columns' sums of absolute values; NaN if any element is.
double LargestColumnSum(const TensorRef& matrix);

// The l2 norm: the largest singular value, of the absolute values if so asked; NaN if any element
// is not finite. `summary` is that of the matrix. Direct if there are at most 64 rows or columns;
// the matrix is then copied as doubles if it is wider than high. Iterative otherwise, with up to
// 128 rounds of two passes over the matrix, and 128 vectors of the smaller dimension in memory. The
// same matrix gives the same bits.
double SpectralNorm(const TensorRef& matrix, const Summary& summary, bool abs);

}  // namespace warden::stats

#endif  // WARDEN_STATS_MATRIX_NORM_H_
