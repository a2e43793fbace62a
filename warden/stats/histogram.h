#ifndef WARDEN_STATS_HISTOGRAM_H_
#define WARDEN_STATS_HISTOGRAM_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::stats {

// Histograms of tensors with TensorBoard's bins: capture exports them. All functions are safe for
// many threads.

// Edges of TensorBoard's bins: powers of 1.1 from 1e-12 to below 1e20, their negatives, and zero.
// Ascending; static memory.
inline constexpr int kBinEdges = 1549;
std::span<const double, kBinEdges> BinEdges();

// How many elements fall into each bin [edge i, edge i + 1), the last one closed. Fixed size: it
// can live on the stack or be reused, and filling it allocates nothing.
struct BinCounts {
  std::array<uint64_t, kBinEdges - 1> counts{};
  uint64_t outside = 0;  // Beyond the edges, infinities among them.
  uint64_t nan = 0;
};

// Counts every element of the tensor once, in a bin, outside or nan; *out is overwritten.
// kInvalidType for complex numbers and strings, and *out is then unchanged.
Status CountBins(const TensorRef& tensor, BinCounts* out);

// The histogram as a TensorBoard file stores it: only the populated stretch of bins, with one empty
// bucket before it. min, max, num, sum and sum_squares are over all values, NaN and those outside
// of the bins included; counts are not. counts[i] values lie below limits[i] and not below
// limits[i - 1]; both lists have the same length.
struct Histogram {
  double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
  std::vector<double> limits;
  std::vector<double> counts;
};

// kInvalid if no value lies inside the edges, e.g. of an empty tensor: TensorBoard has no histogram
// for that. kInvalidType for complex numbers and strings.
//
//   const auto histogram = MakeHistogram({data, DType::kFloat32, shape});
//   if (histogram.ok()) ... histogram.value().counts ...
Result<Histogram> MakeHistogram(const TensorRef& tensor);

}  // namespace warden::stats

#endif  // WARDEN_STATS_HISTOGRAM_H_
