#ifndef WARDEN_DASHBOARD_PROFILE_PANEL_BUILDING_H_
#define WARDEN_DASHBOARD_PROFILE_PANEL_BUILDING_H_

// What the panels of the profiler's dashboard share: tables, charts and texts. Only for the files
// of this folder. Pure functions. Times are microseconds in WorkSum, seconds in a Distribution, and
// milliseconds where they are shown.

#include <string>
#include <utility>
#include <vector>

#include "warden/dashboard/profile/profile_tally.h"
#include "warden/report/charts.h"

namespace warden::dashboard {

// Pies of times, and those with a field for how many to show: fifteen at first, as in SageMaker's
// dashboard, and up to 20, which is as many as the page can color differently.
inline constexpr report::PieLook kTimes = {.unit = "s"};
inline constexpr report::PieLook kTopTimes = {.most = 21, .unit = "s", .top = 15};
inline constexpr report::PieLook kTopLaunches = {.most = 21, .unit = "launches", .top = 15};

// A panel with nothing to show; why: a sentence that says what to do, shown as secondary text.
report::Section EmptyPanel(std::string id, std::string title, std::string why);

// How to get what only the framework's own profiler records.
inline constexpr std::string_view kSwitchOn =
    "Enable detailed profiling for some steps: set DetailedProfilingConfig, such as "
    "{\"StartStep\": 5, \"NumSteps\": 3}, in the profiler configuration.";

using NamedSum = std::pair<std::string, WorkSum>;
// The longest in total first; by name where that is equal.
std::vector<NamedSum> LongestFirst(const ProfileTally::Sums& sums);
// The sum of their total times, in microseconds.
double TotalUs(const std::vector<NamedSum>& sums);

// As slices of a pie, in seconds.
std::vector<report::Named> SecondsOf(const std::vector<NamedSum>& sums);

// name, count, total, mean, max and share of each, in the order given: sort by LongestFirst. At
// most 300 rows, of which 15 are shown at first; the shares are of all. what: the title of the
// first column. REQUIRES: counts above 0.
report::Table WorkTable(std::string caption, std::string what, const std::vector<NamedSum>& sums);

// The same of work that is nested: with self times, of which the shares are.
report::Table NestedTable(std::string caption, std::string what, const std::vector<NamedSum>& sums);

// A histogram, in milliseconds, of how long something took.
report::Histogram TimesHistogram(const std::string& name, const rules::Distribution& seconds);
// count, mean, p50, p95, p99 and max of each, in milliseconds; empty ones are skipped. The pointers
// are used during the call only.
report::Table TimesTable(std::string caption, std::string what,
                         const std::vector<std::pair<std::string, const rules::Distribution*>>& of);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_PANEL_BUILDING_H_
