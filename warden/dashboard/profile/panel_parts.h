#ifndef WARDEN_DASHBOARD_PROFILE_PANEL_PARTS_H_
#define WARDEN_DASHBOARD_PROFILE_PANEL_PARTS_H_

#include <string>
#include <utility>
#include <vector>

#include "warden/dashboard/profile/profile_tally.h"
#include "warden/report/charts.h"

namespace warden::dashboard {

// What the panels share.

inline constexpr size_t kTopSlices = 16;  // Fifteen and the rest, as SageMaker's dashboard has it.

// A panel with nothing to show.
report::Section EmptyPanel(std::string id, std::string title, std::string why);

// How to get what only the framework's own profiler records.
inline constexpr std::string_view kSwitchOn =
    "Enable detailed profiling for some steps: set DetailedProfilingConfig, such as "
    "{\"StartStep\": 5, \"NumSteps\": 3}, in the profiler configuration.";

using NamedSum = std::pair<std::string, WorkSum>;
// The longest in total first.
std::vector<NamedSum> LongestFirst(const ProfileTally::Sums& sums);
double TotalUs(const std::vector<NamedSum>& sums);

// As slices of a pie, in seconds.
std::vector<report::Named> SecondsOf(const std::vector<NamedSum>& sums);

// name, count, total, mean, max and share of each, the longest first.
report::Table WorkTable(std::string caption, std::string what, const std::vector<NamedSum>& sums);

// A histogram of how long something took.
report::Histogram TimesHistogram(const std::string& name, const rules::Distribution& seconds);
// count, mean, p50, p95, p99 and max of each, in milliseconds.
report::Table TimesTable(std::string caption, std::string what,
                         const std::vector<std::pair<std::string, const rules::Distribution*>>& of);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_PANEL_PARTS_H_
