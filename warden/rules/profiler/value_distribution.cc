#include "warden/rules/profiler/value_distribution.h"

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"

namespace warden::rules {

double QuantileOf(std::span<const double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = at - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

void Distribution::Add(double value) {
  if (!std::isfinite(value)) return;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ += value;
  if (count_++ % stride_ != 0) return;
  recent_.push_back(value);
  if (sorted_.size() + recent_.size() >= kMostKept) KeepEverySecond();
}

void Distribution::Settle() const {
  if (recent_.empty()) return;
  std::sort(recent_.begin(), recent_.end());
  std::vector<double> all(sorted_.size() + recent_.size());
  std::merge(sorted_.begin(), sorted_.end(), recent_.begin(), recent_.end(), all.begin());
  sorted_ = std::move(all);
  recent_.clear();
}

void Distribution::KeepEverySecond() {
  Settle();
  const size_t half = sorted_.size() / 2;
  for (size_t i = 0; i < half; ++i) sorted_[i] = sorted_[2 * i + i % 2];
  sorted_.resize(half);
  stride_ *= 2;
}

double Distribution::Quantile(double q) const {
  if (q <= 0) return min_;
  if (q >= 1) return max_;
  return QuantileOf(Sorted(), q);
}

std::span<const double> Distribution::Sorted() const {
  Settle();
  return sorted_;
}

Histogram HistogramOf(const Distribution& distribution, int bins) {
  double low = distribution.min();
  double high = distribution.max();
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  Histogram histogram;
  for (int i = 0; i <= bins; ++i) {
    const double part = static_cast<double>(i) / bins;
    histogram.edges.push_back(low * (1 - part) + high * part);  // No overflow, whatever they are.
  }
  const std::span<const double> values = distribution.Sorted();
  auto from = values.begin();
  for (int i = 0; i < bins; ++i) {
    const auto to = i + 1 == bins ? values.end()
                                  : std::lower_bound(from, values.end(),
                                                     histogram.edges[static_cast<size_t>(i) + 1]);
    histogram.shares.push_back(static_cast<double>(to - from) / static_cast<double>(values.size()));
    from = to;
  }
  return histogram;
}

Json Rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (std::abs(value) > 1e9) return std::round(value);
  return std::round(value * 1e6) / 1e6;
}

Json BoxOf(const Distribution& distribution) {
  Json box = Json::object();
  if (distribution.empty()) return box;
  const double p25 = distribution.Quantile(0.25);
  const double p75 = distribution.Quantile(0.75);
  const double whisker = 1.5 * (p75 - p25);
  box["p25"] = Rounded(p25);
  box["p50"] = Rounded(distribution.Quantile(0.5));
  box["p75"] = Rounded(p75);
  box["p95"] = Rounded(distribution.Quantile(0.95));
  box["upper"] = Rounded(std::min(p75 + whisker, distribution.max()));
  box["lower"] = Rounded(std::max(p25 - whisker, distribution.min()));
  return box;
}

}  // namespace warden::rules
