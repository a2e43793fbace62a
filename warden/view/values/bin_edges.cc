#include "warden/view/values/bin_edges.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace warden::view {
namespace {

// From this ratio of the largest value to the smallest steps' usual one on, even edges hide steps.
constexpr double kManyDecades = 1000;
// Smaller ones are as good as zero beside the largest.
constexpr double kSmallest = 1e-12;

// The size of the smaller steps: a tenth of them may be smaller still, so that one step of nearly
// zero does not decide it.
double SmallSize(std::span<const ValueRange> ranges) {
  std::vector<double> sizes;
  for (const ValueRange& range : ranges) {
    if (range.size > 0) sizes.push_back(range.size);
  }
  if (sizes.empty()) return 0;
  std::sort(sizes.begin(), sizes.end());
  return sizes[sizes.size() / 10];
}

// A stretch of no length, or too short for that many doubles in it, is made wider.
void Widen(size_t bins, double* low, double* high) {
  const double largest = std::max(std::abs(*low), std::abs(*high));
  const double least = 16 * static_cast<double>(bins) * std::numeric_limits<double>::epsilon();
  if (*high - *low > least * largest && *high - *low > std::numeric_limits<double>::min() * 1e6) {
    return;
  }
  constexpr double kMost = std::numeric_limits<double>::max();
  const double more = largest > std::numeric_limits<double>::min() * 1e6 ? largest / 10 : 1;
  *low = std::max(*low - more, -kMost);
  *high = std::min(*high + more, kMost);
}

// With the ends themselves exact, so that the least and the most value are inside.
template <class At>
std::vector<double> Edges(size_t bins, double low, double high, const At& at) {
  std::vector<double> edges(bins + 1);
  for (size_t i = 0; i <= bins; ++i) {
    edges[i] = at(static_cast<double>(i) / static_cast<double>(bins));
  }
  edges.front() = low;
  edges.back() = high;
  return edges;
}

}  // namespace

BinEdges ChooseEdges(std::span<const ValueRange> ranges, size_t bins) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const ValueRange& range : ranges) {
    low = std::min(low, range.low);
    high = std::max(high, range.high);
  }
  if (ranges.empty()) low = -1, high = 1;
  Widen(bins, &low, &high);
  const double largest = std::max(std::abs(low), std::abs(high));
  const double small = std::max(SmallSize(ranges), largest * kSmallest);
  const auto evenly = [&](double f) { return low * (1 - f) + high * f; };
  if (SmallSize(ranges) == 0 || largest / small < kManyDecades) {
    return {0, Edges(bins, low, high, evenly)};
  }
  const double from = std::asinh(low / small);
  const double to = std::asinh(high / small);
  const auto curved = [&](double f) { return small * std::sinh(from * (1 - f) + to * f); };
  BinEdges curve{small, Edges(bins, low, high, curved)};
  // All far from zero: the logarithm may crowd edges that even ones have room for.
  const bool strict = std::adjacent_find(curve.edges.begin(), curve.edges.end(),
                                         std::greater_equal<>()) == curve.edges.end();
  return strict ? curve : BinEdges{0, Edges(bins, low, high, evenly)};
}

}  // namespace warden::view
