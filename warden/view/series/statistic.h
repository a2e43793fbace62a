#ifndef WARDEN_VIEW_SERIES_STATISTIC_H_
#define WARDEN_VIEW_SERIES_STATISTIC_H_

// The statistics that the dashboard shows of a tensor over steps, and which of them follow from
// others, so that a table keeps few of them.
//
//   for (const Source& source : SourcesOf(statistic)) {
//     if (const Column* column = saved.Find(source.from)) Use(*column, source.via);
//   }

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "warden/base/reduction.h"

namespace warden::view {

// A number about a tensor at a step: one of the reductions by its index (below kValue), or one of
// those below.
using Statistic = uint8_t;
inline constexpr Statistic kValue = Reduction::kCount;  // The value of a tensor of one element.
inline constexpr Statistic kNans = kValue + 1;          // NaN; shares of the elements, 0 to 1.
inline constexpr Statistic kInfs = kValue + 2;          // Infinite.
inline constexpr Statistic kZeros = kValue + 3;         // Exactly zero.
inline constexpr Statistic kStatistics = kValue + 4;    // How many there are.

// "mean", "abs_l2", "value", "nans", ...: stable, used by the API. REQUIRES: statistic <
// kStatistics.
std::string StatisticName(Statistic statistic);
// The reverse; nothing for an unknown name.
std::optional<Statistic> ParseStatistic(std::string_view name);

// How a statistic follows from another one, so that it need not be kept as well.
enum class Via : uint8_t { kSame, kAbs, kSquare, kRoot, kNoSpread, kIsNan, kIsInf, kIsZero };

// A statistic that another one follows from, and how.
struct Source {
  Statistic from = 0;
  Via via = Via::kSame;
};

// What a statistic can be computed from: itself first, then others, the best first. Valid as long
// as the process. REQUIRES: statistic < kStatistics.
std::span<const Source> SourcesOf(Statistic statistic);

// The minimum and maximum of the statistic, from those of its source.
std::pair<double, double> Derive(Via via, double low, double high);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STATISTIC_H_
