// What is left between labels and predictions, and where it is largest.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/report/words.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr int64_t kFewRows = 10;  // Less says nothing of a bin.

// The share of a normal distribution below a value.
double NormalBelow(double value, double mean, double deviation) {
  return 0.5 * std::erfc((mean - value) / (deviation * std::sqrt(2.0)));
}

Chart ResidualsChart(const Residuals& found) {
  const std::vector<double>& edges = found.histogram.edges;
  Histogram histogram{"residuals", Values(edges.begin(), edges.end()), {}};
  for (const int64_t count : found.histogram.counts) {
    histogram.shares.emplace_back(static_cast<double>(count));
  }
  for (size_t i = 0; found.deviation > 0 && i + 1 < edges.size(); ++i) {
    // The outermost bins hold what lies beyond.
    const double below = i == 0 ? 0 : NormalBelow(edges[i], found.mean, found.deviation);
    const double above =
        i + 2 == edges.size() ? 1 : NormalBelow(edges[i + 1], found.mean, found.deviation);
    histogram.expected.emplace_back((above - below) * static_cast<double>(found.rows));
  }
  return HistogramChart("Residuals (dashed: normal distribution)", "label minus prediction",
                        {histogram});
}

Table ResidualsTable(const Residuals& found) {
  return {.caption = "Residual statistics",
          .columns = {"statistic", "value"},
          .rows = {{"mean", ThreeDigits(found.mean)},
                   {"std dev", ThreeDigits(found.deviation)},
                   {"median", ThreeDigits(found.median)},
                   {"min", ThreeDigits(found.min)},
                   {"max", ThreeDigits(found.max)},
                   {"mean absolute error", ThreeDigits(found.mean_absolute)},
                   {"root mean square error", ThreeDigits(found.root_mean_square)},
                   {"R²", found.r2 ? Fixed(*found.r2, 4) : "–"},
                   {"skewness", ThreeDigits(found.skewness)},
                   {"excess kurtosis", ThreeDigits(found.kurtosis)},
                   {"within 1 std dev (normal: 68.3 %)", Percent(100 * found.within_one)},
                   {"within 2 std devs (normal: 95.4 %)", Percent(100 * found.within_two)}},
          .numeric = {false, true}};
}

Paragraph ShapeOf(const Residuals& found) {
  if (!(found.deviation > 0)) return {"All residuals are the same.", Tone::kWarning};
  // How far the mean of so many rows may be from zero by chance.
  const double chance = 3 * found.deviation / std::sqrt(static_cast<double>(found.rows));
  if (std::abs(found.mean) > std::max(chance, 0.1 * found.deviation)) {
    return {fmt::format("The mean is {} instead of 0: predictions are too {} overall.",
                        ThreeDigits(found.mean), found.mean > 0 ? "low" : "high"),
            Tone::kWarning};
  }
  if (found.rows >= 30 && (std::abs(found.skewness) > 1 || found.kurtosis > 3)) {
    return {
        "Some residuals are much larger than the others. Look for outliers, or for data that the "
        "features do not describe.",
        Tone::kWarning};
  }
  return {"Residuals are centered at 0 without long tails.", Tone::kGood};
}

std::string RangeOf(const std::vector<double>& edges, size_t bin) {
  return fmt::format("{} to {}", ThreeDigits(edges[bin]), ThreeDigits(edges[bin + 1]));
}

std::optional<double> LastOf(const Values& values) {
  return values.empty() ? std::nullopt : values.back();
}

Table BinsTable(const BinErrors& bins) {
  Table table = {.caption = "Mean absolute error by label",
                 .columns = {"labels", "rows", "first step", "minimum", "last step"},
                 .rows = {},
                 .numeric = {false, true, true, true, true}};
  for (size_t i = 0; i < bins.bins.counts.size(); ++i) {
    const Values& errors = bins.mean_absolute[i];
    std::optional<double> least;
    for (const auto& error : errors) {
      if (error && (!least || *error < *least)) least = error;
    }
    const auto text = [](const std::optional<double>& error) {
      return error ? ThreeDigits(*error) : "–";
    };
    table.rows.push_back({RangeOf(bins.bins.edges, i), Count(bins.bins.counts[i]),
                          text(errors.empty() ? std::nullopt : errors.front()), text(least),
                          text(LastOf(errors))});
  }
  return table;
}

std::optional<Paragraph> WorstBin(const BinErrors& bins) {
  size_t worst = 0;
  double most = -1;
  for (size_t i = 0; i < bins.mean_absolute.size(); ++i) {
    const auto error = LastOf(bins.mean_absolute[i]);
    if (!error || *error <= most || bins.bins.counts[i] < kFewRows) continue;
    most = *error;
    worst = i;
  }
  if (most <= 0) return std::nullopt;
  return Paragraph{
      fmt::format("Labels from {} are predicted worst: the mean absolute error is {} "
                  "over {}.",
                  RangeOf(bins.bins.edges, worst), ThreeDigits(most),
                  Counted(bins.bins.counts[worst], "row", "rows"))};
}

}  // namespace

Section ResidualsSection(const RunStatistics& statistics) {
  Section section = {.id = "residuals", .title = "Distribution of residuals"};
  if (!statistics.residuals) {
    section.text.push_back(Missing(statistics.why_no_predictions, kSavePredictions));
    return section;
  }
  const Residuals& found = *statistics.residuals;
  section.text.push_back(
      {"A residual is label minus prediction. Bell-shaped residuals around 0 are noise. A shift, a "
       "second peak or a long tail shows something the model has missed."});
  section.text.push_back(OfRows(found.rows, found.left_out, found.step));
  section.text.push_back(ShapeOf(found));
  section.charts.push_back(ResidualsChart(found));
  section.tables.push_back(ResidualsTable(found));
  return section;
}

Section BinsSection(const RunStatistics& statistics) {
  Section section = {.id = "bins", .title = "Absolute validation error by label and step"};
  if (!statistics.bins) {
    section.text.push_back(Missing(statistics.why_no_predictions, kSavePredictions));
    return section;
  }
  const BinErrors& bins = *statistics.bins;
  section.text.push_back(
      {"Labels are grouped into ten bins of equal width. Each line shows the mean absolute error "
       "of one bin. A bin that stays above the others has too few rows or needs other features."});
  if (auto worst = WorstBin(bins)) section.text.push_back(std::move(*worst));
  std::vector<Line> lines;
  for (size_t i = 0; i < bins.mean_absolute.size(); ++i) {
    if (bins.bins.counts[i] == 0) continue;
    Line line = {.name = RangeOf(bins.bins.edges, i), .values = bins.mean_absolute[i]};
    for (const Step step : bins.steps) line.times.push_back(static_cast<double>(step));
    lines.push_back(std::move(line));
  }
  LinesLook look;
  look.over = "step";
  section.charts.push_back(
      LinesChart("Mean absolute error, by label", "mean absolute error", lines, look));
  section.tables.push_back(BinsTable(bins));
  return section;
}

}  // namespace warden::report::xgboost
