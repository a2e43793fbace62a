#ifndef WARDEN_VIEW_VALUES_VALUE_DISTRIBUTIONS_H_
#define WARDEN_VIEW_VALUES_VALUE_DISTRIBUTIONS_H_

// Distributions of a tensor's values over steps, for the dashboard.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/view/values/run_values.h"

namespace warden::view {

// The quantiles that are shown of each step.
inline constexpr std::array<double, 9> kQuantiles = {0, .01, .05, .25, .5, .75, .95, .99, 1};

// How a tensor's values lie at a number of steps, with common edges so that steps can be compared.
//
// Edges are evenly spaced where the values of all steps are of one magnitude. Where those of some
// steps are a thousand times as large as those of others, as of gradients that vanish or explode,
// even edges would show all but the largest as one line: then edges are evenly spaced in
// asinh(x / c), which is linear within c around zero and logarithmic outside, to both sides. c is
// about the size of the smallest steps' values.
struct Distributions {
  bool of_values = true;  // Else only reductions were saved.
  std::vector<double> steps;
  std::vector<std::string> problems;  // Of steps that could not be read; at most a few.

  // Of values.
  uint64_t count = 0;    // Elements at the last step.
  uint64_t sampled = 0;  // Not 0: of more elements only that many were looked at, for each step.
  double linear_within = 0;  // c above; 0: edges are evenly spaced.
  std::vector<double> edges;
  std::vector<float> counts;       // Step by step; of a sample, what it stands for.
  std::vector<double> quantiles;   // kQuantiles of each step's finite values; NaN if it has none.
  std::vector<double> not_finite;  // NaN and infinite elements of each step.

  // Of reductions; NaN where one was not saved.
  std::vector<double> low, mean, high, std;
};

// What to show.
struct DistributionQuery {
  RunValues::Span span;  // The tensor and its steps.
  size_t bins = 64;      // At least 1.
};

// Reads the tensor at up to span.most steps, fewer if it is large: at most about 2 GiB are read.
// The errors of RunValues::Sample; kInvalidType for strings; kTensorUnavailableForStep if only
// shapes were saved. A step that cannot be read is a problem, not an error, unless all are. run:
// not owned; safe to be used by others meanwhile.
Result<Distributions> MakeDistributions(RunValues* run, const DistributionQuery& query);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_VALUE_DISTRIBUTIONS_H_
