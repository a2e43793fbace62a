#include "warden/rules/baseline/band_statistic.h"

#include <algorithm>
#include <cmath>

#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

std::optional<double> FiniteOf(const std::optional<Statistic>& statistic) {
  if (!statistic || !std::isfinite(statistic->value)) return std::nullopt;
  return statistic->value;
}

}  // namespace

std::string_view KeyOf(BandStatistic statistic) {
  switch (statistic) {
    case BandStatistic::kValue: return "value";
    case BandStatistic::kNorm: return "norm";
    case BandStatistic::kLargest: return "abs_max";
    case BandStatistic::kDeviation: return "std";
    case BandStatistic::kMean: return "mean";
  }
  return "";
}

std::string_view TitleOf(BandStatistic statistic) {
  switch (statistic) {
    case BandStatistic::kLargest: return "largest magnitude";
    case BandStatistic::kDeviation: return "standard deviation";
    default: return KeyOf(statistic);
  }
}

std::optional<double> Measure(TensorView& tensor, BandStatistic statistic) {
  switch (statistic) {
    case BandStatistic::kValue:
    case BandStatistic::kMean: return FiniteOf(Mean(tensor));
    case BandStatistic::kNorm: return FiniteOf(Norm(tensor));
    case BandStatistic::kLargest: return FiniteOf(LargestMagnitude(tensor));
    case BandStatistic::kDeviation: break;
  }
  const auto variance = FiniteOf(Variance(tensor));
  return variance && *variance >= 0 ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

double BandScale::PositionOf(double value) const {
  return logarithmic ? std::log10(std::max(value, 0.0) + unit) : value / unit;
}

double BandScale::ValueAt(double position) const {
  return logarithmic ? std::max(std::pow(10, position) - unit, 0.0) : position * unit;
}

}  // namespace warden::rules
