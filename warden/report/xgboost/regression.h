#ifndef WARDEN_REPORT_XGBOOST_REGRESSION_H_
#define WARDEN_REPORT_XGBOOST_REGRESSION_H_

#include <optional>
#include <vector>

#include "warden/report/xgboost/figures.h"
#include "warden/report/xgboost/samples.h"

namespace warden::report::xgboost {

// Of values in any order. REQUIRES: finite, at least one.
struct Spread {
  double min = 0, max = 0, mean = 0, deviation = 0, skewness = 0, kurtosis = 0;
};
Spread SpreadOf(const std::vector<double>& values);

// Equal bins from one value to another; what lies beyond goes into the outermost. One bin around
// the value if both are the same.
Counts CountInBins(const std::vector<double>& values, double from, double to, size_t bins);
std::vector<double> Edges(double from, double to, size_t bins);
// The bin of a value: the last one whose lower edge it reaches.
size_t BinOf(double value, const std::vector<double>& edges);

// What is left between labels and predictions; nothing if no row is finite.
std::optional<Residuals> ResidualsOf(const Samples& samples);

// The mean absolute error in each bin of labels; nothing in bins without rows.
Values ErrorsInBins(const Samples& samples, const std::vector<double>& edges);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_REGRESSION_H_
