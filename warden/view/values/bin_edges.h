#ifndef WARDEN_VIEW_VALUES_BIN_EDGES_H_
#define WARDEN_VIEW_VALUES_BIN_EDGES_H_

// Edges of histograms that several steps share, so that they can be compared and stacked. Used by
// MakeDistributions, which explains the choice. Weights of a step may be a thousand times those of
// another: even edges would put one of the two into a single bin.

#include <span>
#include <vector>

namespace warden::view {

// The finite values of one step in short.
struct ValueRange {
  double low = 0;
  double high = 0;
  double size = 0;  // The usual magnitude of those that are not zero; 0 if all are.
};

// The edges of a histogram.
struct BinEdges {
  double linear_within = 0;   // 0: evenly spaced; else Distributions::linear_within.
  std::vector<double> edges;  // bins + 1, ascending, none twice; all values are inside.
};

// Edges for all steps together, as described at Distributions. Without any range: from -1 to 1. A
// range of no length is widened. REQUIRES: bins > 0, all numbers finite. Even edges, unless the
// largest value is a thousand times the usual size of the smaller steps: then they are even near
// zero and grow like a logarithm beyond (asinh). A tenth of the steps may be smaller still without
// deciding it.
BinEdges ChooseEdges(std::span<const ValueRange> ranges, size_t bins);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_BIN_EDGES_H_
