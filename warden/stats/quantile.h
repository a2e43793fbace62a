#ifndef WARDEN_STATS_QUANTILE_H_
#define WARDEN_STATS_QUANTILE_H_

#include <cstdint>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// The value at fraction q (0 to 1) of the sorted finite elements, linearly interpolated between
// neighbors as NumPy does; NaN and infinities are left out. Exact, by selection on the bits of the
// keys: a few passes over the tensor (up to eight, for 64-bit elements), no copy and no allocation.
// kInvalid if q is outside [0, 1], kNotFound if no element is finite, kInvalidType for complex
// numbers and strings. Safe for many threads.
//
//   const auto p99 = Quantile(tensor, 0.99);
//   if (p99.status().code() == Code::kNotFound) ... nothing finite ...
Result<double> Quantile(const TensorRef& tensor, double q);

// Quantile(tensor, 0.5), with the same errors.

inline Result<double> Median(const TensorRef& tensor) { return Quantile(tensor, 0.5); }

}  // namespace warden::stats

#endif  // WARDEN_STATS_QUANTILE_H_
