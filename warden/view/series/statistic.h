#ifndef WARDEN_VIEW_SERIES_STATISTIC_H_
#define WARDEN_VIEW_SERIES_STATISTIC_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "warden/base/reduction.h"

namespace warden::view {

// A number that tells something of a tensor at a step: one of the reductions by its index, or one
// of those below.
using Statistic = uint8_t;
inline constexpr Statistic kValue = Reduction::kCount;  // Of a tensor of one element.
inline constexpr Statistic kNans = kValue + 1;          // Shares of the elements, 0 to 1.
inline constexpr Statistic kInfs = kValue + 2;
inline constexpr Statistic kZeros = kValue + 3;
inline constexpr Statistic kStatistics = kValue + 4;  // How many there are.

// "mean", "abs_l2", "value", "nans", ...
std::string StatisticName(Statistic statistic);
std::optional<Statistic> ParseStatistic(std::string_view name);

// How a statistic follows from another one, so that it need not be kept as well.
enum class Via : uint8_t { kSame, kAbs, kSquare, kRoot, kNoSpread, kIsNan, kIsInf, kIsZero };

struct Source {
  Statistic from = 0;
  Via via = Via::kSame;
};

// What a statistic can be had from: itself first, then others, the best first.
std::span<const Source> SourcesOf(Statistic statistic);

// The least and the most of the statistic, where those of its source are known.
std::pair<double, double> Derive(Via via, double low, double high);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STATISTIC_H_
