#include "warden/report/chart_building.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr size_t kNamesInSummary = 4;

}  // namespace

Chart NewChart(ChartKind kind, std::string title, Json data) {
  Chart chart;
  chart.kind = kind;
  chart.title = std::move(title);
  chart.table.caption = chart.title;
  chart.data = std::make_shared<const Json>(std::move(data));
  return chart;
}

Json ArrayOf(const Values& values) {
  Json array = Json::array();
  for (const auto& value : values) array.push_back(value ? Json(Rounded(*value)) : Json());
  return array;
}

std::string Listed(const std::vector<std::string>& parts) {
  const size_t shown = std::min(parts.size(), kNamesInSummary);
  std::string text =
      fmt::format("{}", fmt::join(parts.begin(), parts.begin() + static_cast<long>(shown), ", "));
  if (shown < parts.size()) text += fmt::format(" and {} more", parts.size() - shown);
  return text + ".";
}

std::string WithUnit(double value, const std::string& unit) {
  if (unit == "%") return Percent(value);
  if (unit == "s") return Duration(value);
  if (unit == "B/s") return BytesPerSecond(value);
  return unit.empty() ? ThreeDigits(value) : ThreeDigits(value) + " " + unit;
}

Extent ExtentOf(const Values& values) {
  Extent extent;
  for (const auto& value : values) {
    if (!value) continue;
    extent.low = std::min(extent.low, *value);
    extent.high = std::max(extent.high, *value);
  }
  return extent;
}

double Rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::round(value * scale) / scale;
  return std::isfinite(rounded) ? rounded : value;
}

}  // namespace warden::report
