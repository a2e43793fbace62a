// Charts about classes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/report/chart_building.h"
#include "warden/report/charts.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

double PercentOf(int64_t part, int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string ThresholdText(double threshold) {
  return std::isfinite(threshold) ? fmt::format("{:.4g}", threshold) : "above all scores";
}

}  // namespace

Chart MatrixChart(std::string title, const std::vector<std::string>& labels,
                  const std::vector<int64_t>& counts) {
  Json data = {{"labels", labels}, {"rows", Json::array()}};
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> parts;
  const size_t n = labels.size();
  for (size_t i = 0; i < n && (i + 1) * n <= counts.size(); ++i) {
    const auto begin = counts.begin() + static_cast<ptrdiff_t>(i * n);
    const std::vector<int64_t> row(begin, begin + static_cast<ptrdiff_t>(n));
    int64_t sum = 0;
    for (const int64_t count : row) sum += count;
    data["rows"].push_back(row);
    parts.push_back(fmt::format("class {}: {} of {} rows predicted correctly", labels[i],
                                Percent(PercentOf(row[i], sum)), Count(sum)));
    for (size_t j = 0; j < n && rows.size() < 4 * kMostRows; ++j) {
      if (row[j] == 0) continue;
      rows.push_back({labels[i], labels[j], Count(row[j]), Fixed(PercentOf(row[j], sum), 1)});
    }
  }
  Chart chart = NewChart(ChartKind::kMatrix, std::move(title), std::move(data));
  chart.x_label = "predicted";
  chart.y_label = "label";
  chart.summary = Listed(parts);
  chart.table.columns = {"label", "predicted", "rows", "share of label (%)"};
  chart.table.numeric = {false, false, true, true};
  chart.table.rows = std::move(rows);
  return chart;
}

Chart RocChart(std::string title, const Thresholds& all) {
  Json data = {{"positives", all.positives},
               {"negatives", all.negatives},
               {"best", all.best},
               {"points", Json::array()}};
  std::vector<std::vector<std::string>> rows;
  const size_t stride = std::max<size_t>(1, all.points.size() / kMostRows);
  for (size_t i = 0; i < all.points.size(); ++i) {
    const Thresholds::Point& point = all.points[i];
    const Json threshold = std::isfinite(point.threshold) ? Json(Rounded(point.threshold)) : Json();
    data["points"].push_back({threshold, point.true_positives, point.false_positives});
    if (i % stride != 0 && i != all.best && i + 1 != all.points.size()) continue;
    rows.push_back({ThresholdText(point.threshold),
                    Fixed(PercentOf(point.true_positives, all.positives), 1),
                    Fixed(PercentOf(point.false_positives, all.negatives), 1)});
  }
  Chart chart = NewChart(ChartKind::kRoc, std::move(title), std::move(data));
  chart.x_label = "false positive rate";
  chart.y_label = "true positive rate";
  if (all.best < all.points.size()) {
    const Thresholds::Point& best = all.points[all.best];
    chart.summary = fmt::format(
        "At threshold {}, the true positive rate is {} and the false positive rate is {}.",
        ThresholdText(best.threshold), Percent(PercentOf(best.true_positives, all.positives)),
        Percent(PercentOf(best.false_positives, all.negatives)));
  }
  chart.table.columns = {"threshold", "true positive rate (%)", "false positive rate (%)"};
  chart.table.numeric = {true, true, true};
  chart.table.rows = std::move(rows);
  return chart;
}

}  // namespace warden::report
