#ifndef WARDEN_VIEW_SERIES_COMPARE_H_
#define WARDEN_VIEW_SERIES_COMPARE_H_

// Comparison of two runs tensor by tensor, for the dashboard. Tensors with the same name are
// compared at the steps that both have. It tells at which step and where in the model two runs that
// should be alike begin to differ.
//
//   const Comparison result = Compare(a, b, {.mode = Mode::kTrain, .collection = "losses"});
//   for (const Difference& row : result.tensors) Show(row.tensor, row.first, row.difference);

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
  // Of either run; empty: all tensors. An unknown collection selects nothing.
  std::string collection = {};
};

// How far one tensor is from its namesake, over the steps that both runs have of it.
struct Difference {
  std::string tensor;
  Statistic statistic = kValue;
  // Steps that both runs have of it; 0: the other members but the first two have no meaning.
  size_t steps = 0;
  double last_step = 0;        // The last of these. Without meaning if there are none.
  std::optional<double> step;  // Where they are farthest apart ...
  double a = 0, b = 0;         // ... and what they are there.
  // The largest distance, relative to the larger absolute value: 0 if equal, NaN and infinities
  // included, up to 2 for opposite signs. NaN if they differ and one of them is not finite, which
  // counts as farther than any number.
  double difference = 0;
  // The first step at which they differ at all, by a single bit; none: never.
  std::optional<double> first;
};

// The result for two runs.
struct Comparison {
  std::vector<std::string> only_a, only_b;  // Tensors that the other run does not have.
  std::vector<Difference> tensors;          // In the order of the first run's model.
};

// Compares what has been read of both runs so far, by the first worker of each tensor. Takes the
// locks of the runs one after the other, never both. Where steps were joined, minima and maxima are
// compared. Takes time in proportion to the number of common tensors times their points. Runs that
// are still being read may be compared: the result grows with them.
Comparison Compare(const RunSeries& a, const RunSeries& b, const CompareWanted& wanted);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_COMPARE_H_
