#ifndef WARDEN_STATS_MATRIX_NORM_H_
#define WARDEN_STATS_MATRIX_NORM_H_

#include "warden/stats/summary.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// Norms of a matrix of real numbers. REQUIRES: rank 2, at least one element.

// The l1 norm: the largest of the columns' sums of absolute values; NaN if any element is.
double LargestColumnSum(const TensorRef& matrix);

// The l2 norm: the largest singular value, of the absolute values if so asked; NaN if any element
// is not finite. `summary` is that of the matrix.
double SpectralNorm(const TensorRef& matrix, const Summary& summary, bool abs);

}  // namespace warden::stats

#endif  // WARDEN_STATS_MATRIX_NORM_H_
