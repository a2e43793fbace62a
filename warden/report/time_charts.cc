#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/report/chart_building.h"
#include "warden/report/charts.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

double TimeAt(const Line& line, size_t i) {
  if (line.times.empty()) return line.start + line.interval * static_cast<double>(i);
  return i < line.times.size() ? line.times[i] : line.times.back();
}

Table LinesTable(const std::vector<Line>& lines, const LinesLook& look) {
  Table table;
  table.columns = {"series", look.over.empty() ? "time" : look.over,
                   fmt::format("value{}", look.unit == "%" ? " (%)" : "")};
  table.numeric = {false, true, true};
  const size_t of_each = std::max<size_t>(4, kMostRows / std::max<size_t>(1, lines.size()));
  for (const Line& line : lines) {
    const size_t stride = std::max<size_t>(1, (line.values.size() + of_each - 1) / of_each);
    for (size_t i = 0; i < line.values.size(); i += stride) {
      if (!line.values[i] || table.rows.size() >= 2 * kMostRows) continue;
      const double value = *line.values[i];
      const double at = TimeAt(line, i) - look.origin;
      table.rows.push_back({line.name, look.over.empty() ? Duration(at) : ThreeDigits(at),
                            look.unit == "%" ? Fixed(value, 1) : WithUnit(value, look.unit)});
    }
  }
  return table;
}

Json JsonOf(const Line& line) {
  Json json = {{"name", line.name}};
  if (line.times.empty()) {
    json["start"] = line.start;
    json["interval"] = line.interval;
  } else {
    json["x"] = line.times;
  }
  json["y"] = ArrayOf(line.values);
  if (!line.low.empty() && !line.high.empty()) {
    json["low"] = ArrayOf(line.low);
    json["high"] = ArrayOf(line.high);
  }
  if (!line.marks.empty()) json["marks"] = line.marks;
  return json;
}

// From where to where colors go.
Extent ColorsOf(const std::vector<HeatRow>& rows, bool is_time) {
  std::vector<double> values;
  for (const HeatRow& row : rows) {
    for (const auto& value : row.values) {
      if (value && std::isfinite(*value)) values.push_back(*value);
    }
  }
  if (values.empty()) return {0, 1};
  std::sort(values.begin(), values.end());
  Extent colors{is_time ? 0 : values.front(), values.back()};
  // The first step may take a hundred times longer than the others.
  constexpr double kFar = 3;
  const double usual = values[(values.size() - 1) * 95 / 100];
  if (is_time && colors.high > kFar * usual) colors.high = usual;
  return colors;
}

// Smallest, median and largest of what is finite; empty if nothing is.
std::vector<std::string> SpreadOf(const HeatRow& row, const std::string& unit) {
  std::vector<double> values;
  for (const auto& value : row.values) {
    if (value && std::isfinite(*value)) values.push_back(*value);
  }
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {WithUnit(values.front(), unit), WithUnit(values[values.size() / 2], unit),
          WithUnit(values.back(), unit)};
}

}  // namespace

Chart LinesChart(std::string title, std::string y_label, const std::vector<Line>& lines,
                 const LinesLook& look) {
  Json data = {{"unit", look.unit}, {"origin", look.origin}, {"series", Json::array()}};
  if (look.top) data["top"] = *look.top;
  if (look.bottom) data["bottom"] = *look.bottom;
  if (!look.over.empty()) data["over"] = look.over;
  if (look.loop) data["loop"] = {look.loop->first, look.loop->second};
  std::vector<std::string> parts;
  for (const Line& line : lines) {
    data["series"].push_back(JsonOf(line));
    const Extent extent = ExtentOf(line.values);
    if (!extent.any()) continue;
    parts.push_back(fmt::format("{}: from {} to {}", line.name, WithUnit(extent.low, look.unit),
                                WithUnit(extent.high, look.unit)));
  }
  Chart chart = NewChart(ChartKind::kLines, std::move(title), std::move(data));
  chart.x_label = look.over.empty() ? "time since the start" : look.over;
  chart.y_label = std::move(y_label);
  chart.summary = Listed(parts);
  Table table = LinesTable(lines, look);
  table.caption = chart.title;
  chart.table = std::move(table);
  return chart;
}

Chart HeatmapChart(std::string title, const std::vector<HeatRow>& rows, double start,
                   double interval, double origin) {
  Json data = {{"start", start},
               {"interval", interval},
               {"origin", origin},
               {"unit", "%"},
               {"rows", Json::array()}};
  std::vector<std::string> parts;
  std::vector<std::vector<std::string>> table_rows;
  for (const HeatRow& row : rows) {
    data["rows"].push_back({{"name", row.name}, {"values", ArrayOf(row.values)}});
    double sum = 0;
    size_t measured = 0;
    for (const auto& value : row.values) {
      sum += value.value_or(0);
      measured += value ? 1 : 0;
    }
    if (measured == 0) continue;
    const Extent extent = ExtentOf(row.values);
    const double mean = sum / static_cast<double>(measured);
    table_rows.push_back({row.name, Fixed(extent.low, 1), Fixed(mean, 1), Fixed(extent.high, 1)});
    parts.push_back(fmt::format("{}: {} on average", row.name, Percent(mean)));
  }
  Chart chart = NewChart(ChartKind::kHeatmap, std::move(title), std::move(data));
  chart.x_label = "time since the start";
  chart.summary = Listed(parts);
  chart.table.columns = {"device", "min (%)", "mean (%)", "max (%)"};
  chart.table.numeric = {false, true, true, true};
  chart.table.rows = std::move(table_rows);
  return chart;
}

Chart StepMapChart(std::string title, const std::vector<HeatRow>& rows,
                   const std::vector<int64_t>& steps, const std::string& unit) {
  const Extent colors = ColorsOf(rows, unit == "s");
  Json data = {{"unit", unit},
               {"steps", steps},
               {"low", Rounded(colors.low)},
               {"high", Rounded(colors.high)},
               {"rows", Json::array()}};
  std::vector<std::string> parts;
  std::vector<std::vector<std::string>> table_rows;
  for (const HeatRow& row : rows) {
    Json values = Json::array();
    Json bad = Json::array();
    for (const auto& value : row.values) {
      const bool finite = value && std::isfinite(*value);
      if (value && !finite) bad.push_back(values.size());
      values.push_back(finite ? Json(Rounded(*value)) : Json());
    }
    data["rows"].push_back({{"name", row.name}, {"values", std::move(values)}});
    if (!bad.empty()) data["rows"].back()["bad"] = std::move(bad);
    std::vector<std::string> spread = SpreadOf(row, unit);
    if (spread.empty()) continue;
    parts.push_back(fmt::format("{}: {} (median)", row.name, spread[1]));
    spread.insert(spread.begin(), row.name);
    table_rows.push_back(std::move(spread));
  }
  Chart chart = NewChart(ChartKind::kHeatmap, std::move(title), std::move(data));
  chart.x_label = "step";
  chart.summary = Listed(parts);
  chart.table.columns = {"rank", "min", "median", "max"};
  chart.table.numeric = {false, true, true, true};
  chart.table.rows = std::move(table_rows);
  chart.table.shown = 16;
  return chart;
}

}  // namespace warden::report
