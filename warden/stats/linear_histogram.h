#ifndef WARDEN_STATS_LINEAR_HISTOGRAM_H_
#define WARDEN_STATS_LINEAR_HISTOGRAM_H_

// How a tensor's values are spread, for looking at: `warden trial show --histogram`. Pure
// functions.

#include <cstdint>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// How the finite elements are spread, in few bins of equal width with round edges. (histogram.h has
// TensorBoard's bins, view/values/value_distributions.h common bins of many steps.) Where a few
// elements lie far outside, the bins cover the bulk and those are counted below and above it.
// Without finite elements there are no edges. Far outside: half a percent of the elements at each
// end is cut off if that makes the range less than a quarter as wide. Widths are 1, 2, 2.5 or 5
// times a power of ten.
struct LinearHistogram {
  std::vector<double> edges;      // One more than counts; equal for a single value.
  std::vector<uint64_t> counts;   // [edge i, edge i + 1), the last one closed.
  bool whole_numbers = false;     // Each bin holds one whole number, its left edge.
  uint64_t below = 0, above = 0;  // Finite, outside the edges.
  uint64_t count = 0;             // All elements.
  uint64_t zeros = 0, nan = 0, pos_inf = 0, neg_inf = 0;
};

// At most about most_bins bins, fewer for few elements. kInvalidType for complex numbers and
// strings. Reads the tensor several times. REQUIRES: most_bins > 0. Whole numbers get a bin each if
// their range has fewer than most_bins. For any thread.
Result<LinearHistogram> MakeLinearHistogram(const TensorRef& tensor, int most_bins);

// All members by name, for --json.
Json ToJson(const LinearHistogram& histogram);

}  // namespace warden::stats

#endif  // WARDEN_STATS_LINEAR_HISTOGRAM_H_
