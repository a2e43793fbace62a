#ifndef WARDEN_STATS_QUANTILE_H_
#define WARDEN_STATS_QUANTILE_H_

#include <cstdint>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// The value at fraction q (0 to 1) of the sorted finite elements, linearly interpolated between
// neighbours as NumPy does. Exact, by selection on the bits of the keys: a few passes over the
// tensor, no copy and no allocation. kInvalid if q is outside [0, 1], kNotFound if no element is
// finite, kInvalidType for complex numbers and strings.
Result<double> Quantile(const TensorRef& tensor, double q);

inline Result<double> Median(const TensorRef& tensor) { return Quantile(tensor, 0.5); }

}  // namespace warden::stats

#endif  // WARDEN_STATS_QUANTILE_H_
