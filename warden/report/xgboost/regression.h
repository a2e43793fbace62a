#ifndef WARDEN_REPORT_XGBOOST_REGRESSION_H_
#define WARDEN_REPORT_XGBOOST_REGRESSION_H_

// How far a regression is off: moments, histograms, residuals. Used by read_run.cc. Pure functions;
// sums are compensated, so that they do not depend on the number of rows.

#include <optional>
#include <vector>

#include "warden/report/xgboost/run_statistics.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// The extremes and moments of values, of the population: deviation divides by n. kurtosis is 0 for
// a normal distribution. Both shape numbers are 0 if all values are the same.
struct Spread {
  double min = 0, max = 0, mean = 0, deviation = 0, skewness = 0, kurtosis = 0;
};
// Of values in any order. REQUIRES: finite, at least one.
Spread SpreadOf(const std::vector<double>& values);

// Equal bins from one value to another; values beyond go into the outermost. One bin around the
// value if both are the same, and fewer bins than asked for where numbers are too close for so
// many.
Counts CountInBins(const std::vector<double>& values, double from, double to, size_t bins);
// The edges of such bins, ascending: at least two.
std::vector<double> Edges(double from, double to, size_t bins);
// The bin of a value: the last one whose lower edge it reaches; the first or last for values
// beyond. REQUIRES: at least two edges.
size_t BinOf(double value, const std::vector<double>& edges);

// What is left between labels and predictions (the first one of each row); nothing if no row is
// finite. Leaves step to the caller. Holds labels and residuals in memory.
std::optional<Residuals> ResidualsOf(const Samples& samples);

// The mean absolute error in each bin of labels; nothing in bins without rows. edges: of Edges.
Values ErrorsInBins(const Samples& samples, const std::vector<double>& edges);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_REGRESSION_H_
