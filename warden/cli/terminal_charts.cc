#include "warden/cli/terminal_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "warden/cli/text.h"

namespace warden::cli {
namespace {

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

std::vector<Line> Lines(const stats::LinearHistogram& histogram) {
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

std::string Draw(const stats::LinearHistogram& histogram, const Terminal& terminal) {
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
