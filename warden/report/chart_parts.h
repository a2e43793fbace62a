#ifndef WARDEN_REPORT_CHART_PARTS_H_
#define WARDEN_REPORT_CHART_PARTS_H_

#include <limits>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/charts.h"

namespace warden::report {

// What the makers of charts share.

inline constexpr size_t kMostRows = 60;  // Of a chart's table, about.

Chart NewChart(ChartKind kind, std::string title, Json data);

// Rounded, null where nothing was measured.
Json ArrayOf(const Values& values);

// "a, b, c, d and 3 more."
std::string Listed(const std::vector<std::string>& parts);

// Units: "%", "s", "B/s" and others as they are.
std::string WithUnit(double value, const std::string& unit);

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool any() const { return low <= high; }
};
Extent ExtentOf(const Values& values);

}  // namespace warden::report

#endif  // WARDEN_REPORT_CHART_PARTS_H_
