#include "warden/cli/linear_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "warden/base/json.h"
#include "warden/cli/text.h"
#include "warden/stats/element.h"
#include "warden/stats/quantile.h"
#include "warden/stats/summary.h"

namespace warden::cli {
namespace {

// The bulk is shown without its tails if they make the range this much wider.
constexpr double kTailFactor = 4;
constexpr double kTail = 0.005;

struct Range {
  double low = 0, high = 0;
};

Range RangeToShow(const stats::TensorRef& tensor, const stats::Summary& summary) {
  const Range all{summary.min, summary.max};
  const auto low = stats::Quantile(tensor, kTail);
  const auto high = stats::Quantile(tensor, 1 - kTail);
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
std::vector<double> RoundEdges(const Range& range, int bins) {
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
std::vector<double> WholeEdges(const Range& range) {
  std::vector<double> edges;
  for (double edge = range.low; edge <= range.high + 1; ++edge) edges.push_back(edge);
  return edges;
}

void CountElements(const stats::TensorRef& tensor, LinearHistogram* histogram) {
  const double low = histogram->edges.front();
  const double high = histogram->edges.back();
  const size_t bins = histogram->counts.size();
  const double scale = static_cast<double>(bins) / (high - low);
  // Not if all values are equal, nor if they are too close or too far apart to be told by doubles.
  const bool spread = std::isfinite(scale) && scale > 0;
  const auto* data = static_cast<const std::byte*>(tensor.data);
  const size_t count = tensor.count();
  const Status visited = stats::VisitReal(tensor.dtype, [&]<class T>() {
    for (size_t i = 0; i < count; ++i) {
      const double value = stats::ToDouble(stats::ReadElement<T>(data, i));
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

std::string Bar(double share, size_t width, const Terminal& terminal) {
  if (!terminal.utf8) {
    return std::string(static_cast<size_t>(std::lround(share * static_cast<double>(width))), '#');
  }
  constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(std::lround(share * static_cast<double>(8 * width)));
  std::string bar;
  for (size_t i = 0; i < eighths / 8; ++i) bar += "█";
  return bar.append(kEighths[eighths % 8]);
}

struct Line {
  std::string from, to;
  uint64_t count = 0;
};

std::vector<Line> Lines(const LinearHistogram& histogram) {
  std::vector<Line> lines;
  if (histogram.below > 0) {
    lines.push_back({"below", FormatNumber(histogram.edges.front()), histogram.below});
  }
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    std::string to = histogram.whole_numbers ? "" : FormatNumber(histogram.edges[i + 1]);
    lines.push_back({FormatNumber(histogram.edges[i]), std::move(to), histogram.counts[i]});
  }
  if (histogram.above > 0) {
    lines.push_back({"above", FormatNumber(histogram.edges.back()), histogram.above});
  }
  return lines;
}

}  // namespace

Result<LinearHistogram> MakeLinearHistogram(const stats::TensorRef& tensor, int most_bins) {
  const auto summary = stats::Summarize(tensor);
  if (!summary.ok()) return summary.status();
  const stats::Summary& s = summary.value();
  LinearHistogram histogram;
  histogram.count = s.count;
  histogram.zeros = s.zero_count;
  histogram.nan = s.nan_count;
  histogram.pos_inf = s.pos_inf_count;
  histogram.neg_inf = s.neg_inf_count;
  if (s.finite_count() == 0) return histogram;

  const Range range = RangeToShow(tensor, s);
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

std::string Draw(const LinearHistogram& histogram, const Terminal& terminal) {
  const std::vector<Line> lines = Lines(histogram);
  size_t from_width = 5, to_width = histogram.whole_numbers ? 0 : 2, count_width = 5;
  uint64_t most = 1;
  for (const Line& line : lines) {
    from_width = std::max(from_width, line.from.size());
    to_width = std::max(to_width, line.to.size());
    count_width = std::max(count_width, std::to_string(line.count).size());
    most = std::max(most, line.count);
  }
  const std::string head =
      fmt::format("{:>{}}  {:>{}}  {:>{}}  {:>7}", to_width > 0 ? "from" : "value", from_width,
                  to_width > 0 ? "to" : "", to_width, "count", count_width, "%");
  const size_t bar_width = std::max<size_t>(
      8, static_cast<size_t>(terminal.width) -
             std::min<size_t>(static_cast<size_t>(terminal.width), head.size() + 3));
  std::string text;
  if (!lines.empty()) text += Styled(head, Style::kBold, terminal) + "\n";
  for (const Line& line : lines) {
    const double percent =
        100.0 * static_cast<double>(line.count) / static_cast<double>(histogram.count);
    const double share = static_cast<double>(line.count) / static_cast<double>(most);
    std::string row =
        fmt::format("{:>{}}  {:>{}}  {:>{}}  {:>6.2f}%  {}", line.from, from_width, line.to,
                    to_width, line.count, count_width, percent, Bar(share, bar_width, terminal));
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text + fmt::format("{} value{}, zeros {}, NaN {}, +inf {}, -inf {}\n", histogram.count,
                            histogram.count == 1 ? "" : "s", histogram.zeros, histogram.nan,
                            histogram.pos_inf, histogram.neg_inf);
}

std::string Sparkline(const std::vector<double>& values, size_t width) {
  constexpr std::string_view kHeights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const size_t points = std::min(values.size(), width);
  std::vector<double> means;
  for (size_t i = 0; i < points; ++i) {
    const size_t begin = i * values.size() / points;
    const size_t end = (i + 1) * values.size() / points;
    double sum = 0;
    for (size_t j = begin; j < end; ++j) sum += values[j];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (const double mean : means) {
    if (!std::isfinite(mean)) continue;
    least = std::min(least, mean);
    greatest = std::max(greatest, mean);
  }
  std::string line;
  for (const double mean : means) {
    if (!std::isfinite(mean)) {
      line += ' ';
      continue;
    }
    // Halves, since the difference of two doubles may be too large for one.
    const double height =
        greatest > least ? (mean / 2 - least / 2) / (greatest / 2 - least / 2) : 0.5;
    line += kHeights[static_cast<size_t>(std::lround(height * 7))];
  }
  return line;
}

}  // namespace warden::cli
