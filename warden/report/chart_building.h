#ifndef WARDEN_REPORT_CHART_BUILDING_H_
#define WARDEN_REPORT_CHART_BUILDING_H_

// What the makers of charts share: charts.cc, time_charts.cc and class_charts.cc. Not for others,
// who call the functions of charts.h. Pure functions.

#include <limits>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/charts.h"

namespace warden::report {

inline constexpr size_t kMostRows = 60;  // About, of a chart's table: what people still read.

// A chart of that kind with this data (see web/src/charts/<kind>.ts for its members); its table has
// the title as caption, summary and rows are for the caller to fill.
Chart NewChart(ChartKind kind, std::string title, Json data);

// As a JSON array, rounded by Rounded; null where nothing was measured.
Json ArrayOf(const Values& values);

// "a, b, c, d and 3 more.": the summary of a chart.
std::string Listed(const std::vector<std::string>& parts);

// "12.3 %", "2.53 s", "12.3 MB/s" for the units "%", "s" and "B/s"; others follow the number as
// they are, and an empty one is left out.
std::string WithUnit(double value, const std::string& unit);

// The smallest and the largest value; any() is false if there was none.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool any() const { return low <= high; }
};
Extent ExtentOf(const Values& values);

}  // namespace warden::report

#endif  // WARDEN_REPORT_CHART_BUILDING_H_
