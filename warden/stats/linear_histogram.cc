#include "warden/stats/linear_histogram.h"

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/stats/element.h"
#include "warden/stats/quantile.h"
#include "warden/stats/summary.h"

namespace warden::stats {
namespace {

// The bulk is shown without its tails if they make the range this much wider.
constexpr double kTailFactor = 4;
constexpr double kTail = 0.005;

struct Interval {
  double low = 0, high = 0;
};

Interval RangeToShow(const TensorRef& tensor, const Summary& summary) {
  const Interval all{summary.min, summary.max};
  const auto low = Quantile(tensor, kTail);
  const auto high = Quantile(tensor, 1 - kTail);
  if (!low.ok() || !high.ok()) return all;
  const double bulk = high.value() - low.value();
  // Of a constant with a few exceptions the exceptions are what is worth seeing.
  if (!(bulk > 0) || all.high - all.low <= kTailFactor * bulk) return all;
  return {low.value(), high.value()};
}

// The least of 1, 2, 2.5 and 5 times a power of ten that is not below width.
double RoundUp(double width) {
  const double power = std::pow(10, std::floor(std::log10(width)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    // Rounding of the power itself must not push a round width to the next step.
    if (factor * power >= width * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// Few elements do not fill many bins.
int BinsFor(uint64_t elements, int most) {
  const double bins = std::ceil(2 * std::cbrt(static_cast<double>(elements)));
  return static_cast<int>(std::clamp(bins, 1.0, static_cast<double>(most)));
}

// Edges at multiples of a round width. Only the range itself where the numbers are too close to
// each other, too small or too large for that.
std::vector<double> RoundEdges(const Interval& range, int bins) {
  const double width = (range.high - range.low) / bins;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const bool usable = std::isfinite(width) && width > largest * 1e-12 && width > 1e-300;
  if (!usable) return {range.low, range.high};
  const double step = RoundUp(width);
  std::vector<double> edges;
  double multiple = std::floor(range.low / step);
  do {
    edges.push_back(multiple++ * step + 0.0);  // Adding zero makes 0 of -0.
  } while (edges.back() <= range.high || edges.size() < 2);
  return edges;
}

// One bin for each whole number of the range.
std::vector<double> WholeEdges(const Interval& range) {
  std::vector<double> edges;
  for (double edge = range.low; edge <= range.high + 1; ++edge) edges.push_back(edge);
  return edges;
}

void CountElements(const TensorRef& tensor, LinearHistogram* histogram) {
  const double low = histogram->edges.front();
  const double high = histogram->edges.back();
  const size_t bins = histogram->counts.size();
  const double scale = static_cast<double>(bins) / (high - low);
  // Not if all values are equal, nor if they are too close or too far apart to be told by doubles.
  const bool spread = std::isfinite(scale) && scale > 0;
  const auto* data = static_cast<const std::byte*>(tensor.data);
  const size_t count = tensor.count();
  const Status visited = VisitReal(tensor.dtype, [&]<class T>() {
    for (size_t i = 0; i < count; ++i) {
      const double value = ToDouble(ReadElement<T>(data, i));
      if (!std::isfinite(value)) continue;
      if (value < low) {
        ++histogram->below;
      } else if (value > high) {
        ++histogram->above;
      } else {
        const double place = spread ? (value - low) * scale : 0;
        ++histogram->counts[std::min(bins - 1, static_cast<size_t>(place))];
      }
    }
  });
  (void)visited;  // The summary, made before, refuses the same types.
}

}  // namespace

Result<LinearHistogram> MakeLinearHistogram(const TensorRef& tensor, int most_bins) {
  const auto summary = Summarize(tensor);
  if (!summary.ok()) return summary.status();
  const Summary& s = summary.value();
  LinearHistogram histogram;
  histogram.count = s.count;
  histogram.zeros = s.zero_count;
  histogram.nan = s.nan_count;
  histogram.pos_inf = s.pos_inf_count;
  histogram.neg_inf = s.neg_inf_count;
  if (s.finite_count() == 0) return histogram;

  const Interval range = RangeToShow(tensor, s);
  // Beyond that, doubles do not tell neighbours apart.
  constexpr double kExact = 0x1p52;
  histogram.whole_numbers = !IsFloating(tensor.dtype) && range.high - range.low < most_bins &&
                            std::max(-range.low, range.high) < kExact;
  if (histogram.whole_numbers) {
    histogram.edges = WholeEdges({std::floor(range.low), std::ceil(range.high)});
  } else if (range.low == range.high) {
    histogram.edges = {range.low, range.high};
  } else {
    histogram.edges = RoundEdges(range, BinsFor(s.finite_count(), most_bins));
  }
  histogram.counts.resize(histogram.edges.size() - 1);
  CountElements(tensor, &histogram);
  return histogram;
}

Json ToJson(const LinearHistogram& histogram) {
  return {
      {"edges", histogram.edges}, {"counts", histogram.counts},   {"below", histogram.below},
      {"above", histogram.above}, {"count", histogram.count},     {"zeros", histogram.zeros},
      {"nan", histogram.nan},     {"pos_inf", histogram.pos_inf}, {"neg_inf", histogram.neg_inf}};
}

}  // namespace warden::stats
