#ifndef WARDEN_VIEW_SERIES_COMPARE_H_
#define WARDEN_VIEW_SERIES_COMPARE_H_

// Comparison of two runs tensor by tensor, for the dashboard. Tensors with the same name are
// compared at the steps that both have.

#include <optional>
#include <string>
#include <vector>

#include "warden/view/series/curve.h"
#include "warden/view/series/run_series.h"

namespace warden::view {

// What to compare.
struct CompareWanted {
  std::optional<Statistic> statistic = {};  // None: each tensor's usual one.
  Mode mode = Mode::kGlobal;
  std::string collection = {};  // Of either run; empty: all tensors.
};

// How far one tensor is from its namesake, over the steps that both runs have of it.
struct Difference {
  std::string tensor;
  Statistic statistic = kValue;
  size_t steps = 0;             // Common ones.
  double last_step = 0;         // The last of these. Without meaning if there are none.
  std::optional<double> step;   // Where they are farthest apart ...
  double a = 0, b = 0;          // ... and what they are there.
  double difference = 0;        // Relative to the larger: 0 to 2; NaN if one of them is not finite.
  std::optional<double> first;  // The first step at which they differ.
};

// The result for two runs.
struct Comparison {
  std::vector<std::string> only_a, only_b;  // Tensors that the other run does not have.
  std::vector<Difference> tensors;          // In the order of the first run's model.
};

// Compares what has been read of both runs so far, by the first worker of each tensor. Takes the
// locks of the runs one after the other, never both. Where steps were joined, minima and maxima are
// compared.
Comparison Compare(const RunSeries& a, const RunSeries& b, const CompareWanted& wanted);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_COMPARE_H_
