#include "warden/view/series/statistic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace warden::view {
namespace {

constexpr std::array<std::string_view, 4> kOwnNames = {"value", "nans", "infs", "zeros"};

constexpr Statistic Of(ReductionOp op, bool abs = false) {
  return static_cast<Statistic>(Reduction{op, abs}.index());
}

// Of one element all reductions are known.
Via FromValue(Reduction reduction) {
  if (reduction.op == ReductionOp::kStd || reduction.op == ReductionOp::kVariance) {
    return Via::kNoSpread;
  }
  return reduction.abs || IsNorm(reduction.op) ? Via::kAbs : Via::kSame;
}

// Norms are those of vectors here, so that absolute values change nothing in them, and the first
// one is the sum of absolute values.
std::vector<Source> RelativesOf(Reduction reduction) {
  using enum ReductionOp;
  const bool abs = reduction.abs;
  switch (reduction.op) {
    case kStd: return {{Of(kVariance, abs), Via::kRoot}};
    case kVariance: return {{Of(kStd, abs), Via::kSquare}};
    case kL1: return {{Of(kL1, !abs)}, {Of(kSum, true)}};
    case kL2: return {{Of(kL2, !abs)}};
    case kSum:
      if (abs) return {{Of(kL1)}, {Of(kL1, true)}};
      return {};
    default: return {};
  }
}

using SourceTable = std::array<std::vector<Source>, kStatistics>;

SourceTable MakeSources() {
  SourceTable table;
  for (Statistic i = 0; i < kStatistics; ++i) table[i].push_back({i});
  for (Statistic i = 0; i < kValue; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    for (const Source& source : RelativesOf(reduction)) table[i].push_back(source);
    table[i].push_back({kValue, FromValue(reduction)});
  }
  table[kNans].push_back({kValue, Via::kIsNan});
  table[kInfs].push_back({kValue, Via::kIsInf});
  table[kZeros].push_back({kValue, Via::kIsZero});
  return table;
}

double One(Via via, double value) {
  switch (via) {
    case Via::kSquare: return value * value;
    case Via::kRoot: return std::sqrt(value);
    case Via::kNoSpread: return std::isfinite(value) ? 0 : std::numeric_limits<double>::quiet_NaN();
    case Via::kIsNan: return std::isnan(value) ? 1 : 0;
    case Via::kIsInf: return std::isinf(value) ? 1 : 0;
    case Via::kIsZero: return value == 0 ? 1 : 0;
    default: return value;
  }
}

std::pair<double, double> Absolute(double low, double high) {
  const double a = std::abs(low);
  const double b = std::abs(high);
  const double least = low < 0 && high > 0 ? 0 : std::min(a, b);
  return {least, std::max(a, b)};
}

}  // namespace

std::string StatisticName(Statistic statistic) {
  if (statistic < kValue) return ReductionName(Reduction::FromIndex(statistic));
  return std::string(kOwnNames[statistic - kValue]);
}

std::optional<Statistic> ParseStatistic(std::string_view name) {
  if (const auto reduction = ParseReductionName(name)) {
    return static_cast<Statistic>(reduction->index());
  }
  const auto own = std::ranges::find(kOwnNames, name);
  if (own == kOwnNames.end()) return std::nullopt;
  return static_cast<Statistic>(kValue + (own - kOwnNames.begin()));
}

std::span<const Source> SourcesOf(Statistic statistic) {
  static const SourceTable table = MakeSources();
  return table[statistic];
}

std::pair<double, double> Derive(Via via, double low, double high) {
  if (via == Via::kSame) return {low, high};
  if (via == Via::kAbs) return Absolute(low, high);
  const double a = One(via, low);
  const double b = One(via, high);
  return {std::fmin(a, b), std::fmax(a, b)};
}

}  // namespace warden::view
