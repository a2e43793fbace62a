#include "warden/report/xgboost/regression.h"

#include <algorithm>
#include <cmath>

namespace warden::report::xgboost {
namespace {

constexpr size_t kResidualBins = 50;
constexpr double kShownDeviations = 4;

double MeanOf(const std::vector<double>& values) {
  Sum sum;
  for (const double value : values) sum.Add(value);
  return sum.value() / static_cast<double>(values.size());
}

double MedianOf(std::vector<double> values) {
  const size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double ShareWithin(const std::vector<double>& values, double mean, double distance) {
  const auto within = std::count_if(values.begin(), values.end(), [&](double value) {
    return std::abs(value - mean) <= distance;
  });
  return static_cast<double>(within) / static_cast<double>(values.size());
}

// 1 for labels that are all the same and predicted exactly, 0 if they are not.
double R2(const Sum& squares, double label_variance, double rows) {
  const double mean_square = squares.value() / rows;
  if (label_variance == 0) return mean_square == 0 ? 1 : 0;
  return 1 - mean_square / label_variance;
}

}  // namespace

Spread SpreadOf(const std::vector<double>& values) {
  Spread spread;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  spread.min = *least;
  spread.max = *most;
  spread.mean = MeanOf(values);
  Sum second;
  Sum third;
  Sum fourth;
  for (const double value : values) {
    const double distance = value - spread.mean;
    second.Add(distance * distance);
    third.Add(distance * distance * distance);
    fourth.Add(distance * distance * distance * distance);
  }
  const auto n = static_cast<double>(values.size());
  const double variance = second.value() / n;
  spread.deviation = std::sqrt(variance);
  // All the same, but for what rounding makes of their mean.
  if (!(spread.max > spread.min) || !(variance > 0)) return spread;
  spread.skewness = third.value() / n / (variance * spread.deviation);
  spread.kurtosis = fourth.value() / n / (variance * variance) - 3;
  return spread;
}

std::vector<double> Edges(double from, double to, size_t bins) {
  if (!(to > from) || !std::isfinite(to - from)) {
    const double around = std::max(0.5, std::abs(from) * 1e-6);
    return {from - around, std::max(from, to) + around};
  }
  std::vector<double> edges;
  for (size_t i = 0; i <= bins; ++i) {
    const double edge =
        i == bins ? to : from + (to - from) * static_cast<double>(i) / static_cast<double>(bins);
    // Between neighbours among the numbers there is no room for more.
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  return edges;
}

size_t BinOf(double value, const std::vector<double>& edges) {
  const auto above = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
  return static_cast<size_t>(std::clamp<ptrdiff_t>(above - 1, 0, std::ssize(edges) - 2));
}

Counts CountInBins(const std::vector<double>& values, double from, double to, size_t bins) {
  Counts counts;
  counts.edges = Edges(from, to, bins);
  counts.counts.resize(counts.edges.size() - 1);
  for (const double value : values) ++counts.counts[BinOf(value, counts.edges)];
  return counts;
}

std::optional<Residuals> ResidualsOf(const Samples& samples) {
  Residuals found;
  std::vector<double> residuals;
  std::vector<double> labels;
  residuals.reserve(samples.rows());
  labels.reserve(samples.rows());
  Sum squares;
  Sum absolutes;
  samples.ForEach([&](double label, std::span<const double> row) {
    const double residual = label - row[0];
    if (!std::isfinite(residual)) {
      ++found.left_out;
      return;
    }
    residuals.push_back(residual);
    labels.push_back(label);
    squares.Add(residual * residual);
    absolutes.Add(std::abs(residual));
  });
  if (residuals.empty()) return std::nullopt;
  const auto rows = static_cast<double>(residuals.size());
  const Spread spread = SpreadOf(residuals);
  found.rows = std::ssize(residuals);
  found.mean = spread.mean;
  found.deviation = spread.deviation;
  found.skewness = spread.skewness;
  found.kurtosis = spread.kurtosis;
  found.min = spread.min;
  found.max = spread.max;
  found.median = MedianOf(residuals);
  found.mean_absolute = absolutes.value() / rows;
  found.root_mean_square = std::sqrt(squares.value() / rows);
  const Spread of_labels = SpreadOf(labels);
  const double deviation = of_labels.max > of_labels.min ? of_labels.deviation : 0;
  if (residuals.size() > 1) found.r2 = R2(squares, deviation * deviation, rows);
  found.within_one = ShareWithin(residuals, spread.mean, spread.deviation);
  found.within_two = ShareWithin(residuals, spread.mean, 2 * spread.deviation);
  const double reach = kShownDeviations * spread.deviation;
  found.histogram = CountInBins(residuals, std::max(spread.min, spread.mean - reach),
                                std::min(spread.max, spread.mean + reach), kResidualBins);
  return found;
}

Values ErrorsInBins(const Samples& samples, const std::vector<double>& edges) {
  std::vector<Sum> sums(edges.size() - 1);
  std::vector<int64_t> rows(edges.size() - 1);
  samples.ForEach([&](double label, std::span<const double> row) {
    const double error = std::abs(label - row[0]);
    if (!std::isfinite(error)) return;
    const size_t bin = BinOf(label, edges);
    sums[bin].Add(error);
    ++rows[bin];
  });
  Values errors;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (rows[i] == 0) {
      errors.emplace_back();
    } else {
      errors.emplace_back(sums[i].value() / static_cast<double>(rows[i]));
    }
  }
  return errors;
}

}  // namespace warden::report::xgboost
