#ifndef WARDEN_CLI_LINEAR_HISTOGRAM_H_
#define WARDEN_CLI_LINEAR_HISTOGRAM_H_

// How a tensor's values are spread, drawn in a terminal by `warden trial show --histogram`. Pure
// functions.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/cli/terminal.h"
#include "warden/stats/tensor_ref.h"

namespace warden::cli {

// How the finite elements are spread, in few bins of equal width with round edges, for looking at.
// (stats/histogram.h has TensorBoard's bins.) Where a few elements lie far outside, the bins cover
// the bulk and those are counted below and above it. Without finite elements there are no edges.
struct LinearHistogram {
  std::vector<double> edges;      // One more than counts; equal for a single value.
  std::vector<uint64_t> counts;   // [edge i, edge i + 1), the last one closed.
  bool whole_numbers = false;     // Each bin holds one whole number, its left edge.
  uint64_t below = 0, above = 0;  // Finite, outside the edges.
  uint64_t count = 0;             // All elements.
  uint64_t zeros = 0, nan = 0, pos_inf = 0, neg_inf = 0;
};

// At most about most_bins bins, fewer for few elements. kInvalidType for complex numbers and
// strings. Reads the tensor several times. REQUIRES: most_bins > 0.
Result<LinearHistogram> MakeLinearHistogram(const stats::TensorRef& tensor, int most_bins);

// All members by name, for --json.
Json ToJson(const LinearHistogram& histogram);

// Lines of edges, counts, shares and bars, as wide as the terminal, and a line of totals. Colors
// and block characters only if the terminal has them.
std::string Draw(const LinearHistogram& histogram, const Terminal& terminal);

// One character for each value: its height between minimum and maximum; blank for NaN and
// infinities. Series longer than width are averaged in stretches. REQUIRES: the terminal shows
// UTF-8.
std::string Sparkline(const std::vector<double>& values, size_t width);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LINEAR_HISTOGRAM_H_
