#include "warden/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "warden/base/json.h"
#include "warden/report/chart_building.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

double SumOf(const std::vector<Named>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0,
                         [](double sum, const Named& one) { return sum + one.value; });
}

// The first ones, and the rest as one.
std::vector<Named> Gathered(std::vector<Named> all, size_t most) {
  if (all.size() <= most) return all;
  double rest = 0;
  for (size_t i = most - 1; i < all.size(); ++i) rest += all[i].value;
  const size_t gathered = all.size() - (most - 1);
  all.resize(most - 1);
  all.push_back({fmt::format("{} others", Count(static_cast<int64_t>(gathered))), rest});
  return all;
}

}  // namespace

Chart PieChart(std::string title, std::vector<Named> slices, const PieLook& look) {
  const double sum = SumOf(slices);
  const size_t all = slices.size();
  slices = Gathered(std::move(slices), look.most);
  Json data = {{"slices", Json::array()}};
  for (const Named& slice : slices) {
    data["slices"].push_back({{"label", slice.name}, {"value", Rounded(slice.value)}});
  }
  if (all > look.most) data["slices"].back()["others"] = all - (look.most - 1);
  if (!look.unit.empty()) data["unit"] = look.unit;
  if (look.top > 0) data["top"] = look.top;
  Chart chart = NewChart(ChartKind::kPie, std::move(title), std::move(data));
  const bool values = !look.unit.empty();
  chart.table.columns = {"name", "share (%)"};
  chart.table.numeric = {false, true};
  if (values) {
    chart.table.columns.insert(chart.table.columns.begin() + 1,
                               std::string(look.unit == "s" ? "time (s)" : look.unit));
    chart.table.numeric.push_back(true);
  }
  std::vector<std::string> parts;
  for (const Named& slice : slices) {
    const double percent = sum > 0 ? 100 * slice.value / sum : 0;
    chart.table.rows.push_back({slice.name, Fixed(percent, 1)});
    if (values) {
      std::vector<std::string>& row = chart.table.rows.back();
      row.insert(row.begin() + 1, ThreeDigits(slice.value));
    }
    parts.push_back(fmt::format("{} {}", slice.name, Percent(percent)));
  }
  chart.summary = Listed(parts);
  return chart;
}

Chart BarsChart(std::string title, const std::vector<Named>& bars, const std::string& unit,
                size_t most) {
  Json data = {{"unit", unit}, {"bars", Json::array()}};
  Chart described;
  std::vector<std::string> parts;
  for (const Named& bar : Gathered(bars, most)) {
    data["bars"].push_back({{"label", bar.name}, {"value", Rounded(bar.value)}});
    described.table.rows.push_back({bar.name, ThreeDigits(bar.value)});
    parts.push_back(fmt::format("{} {}", bar.name, WithUnit(bar.value, unit)));
  }
  Chart chart = NewChart(ChartKind::kBars, std::move(title), std::move(data));
  chart.table.columns = {"name", fmt::format("share ({})", unit)};
  chart.table.numeric = {false, true};
  chart.table.rows = std::move(described.table.rows);
  chart.summary = Listed(parts);
  return chart;
}

Chart HistogramChart(std::string title, std::string x_label, const std::vector<Histogram>& of) {
  Json data = {{"series", Json::array()}};
  std::vector<std::string> parts;
  std::vector<std::vector<std::string>> rows;
  for (const Histogram& one : of) {
    double sum = 0;
    for (const auto& share : one.shares) sum += std::max(0.0, share.value_or(0));
    if (one.edges.size() != one.shares.size() + 1 || !(sum > 0)) continue;
    Values percents;
    size_t peak = 0;
    for (size_t i = 0; i < one.shares.size(); ++i) {
      percents.push_back(100 * std::max(0.0, one.shares[i].value_or(0)) / sum);
      if (*percents[i] > *percents[peak]) peak = i;
      if (*percents[i] > 0 && rows.size() < 2 * kMostRows) {
        rows.push_back({one.name, ThreeDigits(one.edges[i].value_or(0)),
                        ThreeDigits(one.edges[i + 1].value_or(0)), Fixed(*percents[i], 1)});
      }
    }
    data["series"].push_back(
        {{"name", one.name}, {"edges", ArrayOf(one.edges)}, {"percents", ArrayOf(percents)}});
    Values expected;
    for (const auto& share : one.expected) {
      expected.push_back(share ? std::optional(100 * *share / sum) : std::nullopt);
    }
    if (!expected.empty()) data["series"].back()["expected"] = ArrayOf(expected);
    parts.push_back(fmt::format("{}: most often between {} and {}", one.name,
                                ThreeDigits(one.edges[peak].value_or(0)),
                                ThreeDigits(one.edges[peak + 1].value_or(0))));
  }
  Chart chart = NewChart(ChartKind::kHistogram, std::move(title), std::move(data));
  chart.x_label = std::move(x_label);
  chart.y_label = "share (%)";
  chart.summary = Listed(parts);
  chart.table.columns = {"series", "from", "to", "share (%)"};
  chart.table.numeric = {false, true, true, true};
  chart.table.rows = std::move(rows);
  return chart;
}

Chart BoxChart(std::string title, std::string y_label, const std::vector<Box>& boxes,
               const std::vector<Threshold>& thresholds) {
  Json data = {{"boxes", Json::array()}, {"thresholds", Json::array()}};
  std::vector<std::string> parts;
  std::vector<std::vector<std::string>> rows;
  for (const Box& box : boxes) {
    Json json = {{"label", box.label},      {"lower", Rounded(box.lower)},
                 {"p25", Rounded(box.p25)}, {"p50", Rounded(box.p50)},
                 {"p75", Rounded(box.p75)}, {"upper", Rounded(box.upper)}};
    if (box.p95) json["p95"] = Rounded(*box.p95);
    data["boxes"].push_back(std::move(json));
    rows.push_back({box.label, Fixed(box.lower, 1), Fixed(box.p25, 1), Fixed(box.p50, 1),
                    Fixed(box.p75, 1), Fixed(box.upper, 1), box.p95 ? Fixed(*box.p95, 1) : "–"});
    parts.push_back(fmt::format("{}: median {}, middle half from {} to {}", box.label,
                                Percent(box.p50), Percent(box.p25), Percent(box.p75)));
  }
  for (const Threshold& threshold : thresholds) {
    data["thresholds"].push_back({{"value", threshold.value}, {"label", threshold.label}});
  }
  Chart chart = NewChart(ChartKind::kBox, std::move(title), std::move(data));
  chart.y_label = std::move(y_label);
  chart.summary = Listed(parts);
  chart.table.columns = {"device", "lower", "p25", "p50", "p75", "upper", "p95"};
  chart.table.numeric = {false, true, true, true, true, true, true};
  chart.table.rows = std::move(rows);
  return chart;
}

}  // namespace warden::report
