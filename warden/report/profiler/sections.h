#ifndef WARDEN_REPORT_PROFILER_SECTIONS_H_
#define WARDEN_REPORT_PROFILER_SECTIONS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/charts.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::report {

// The sections of the profiling report, one function each, in a file for each group of them.
// A section with nothing to say says so, with the reason, in one line.
Section JobSection(const ProfilerInputs& inputs);
Section SystemSection(const ProfilerInputs& inputs);
Section FrameworkSection(const ProfilerInputs& inputs);
Section RulesSection(const ProfilerInputs& inputs);
Section StepsSection(const ProfilerInputs& inputs);
Section GpuUseSection(const ProfilerInputs& inputs);
Section BalanceSection(const ProfilerInputs& inputs);
Section LoadingSection(const ProfilerInputs& inputs);
Section BatchSection(const ProfilerInputs& inputs);
Section CpuBottleneckSection(const ProfilerInputs& inputs);
Section IoBottleneckSection(const ProfilerInputs& inputs);
Section GpuMemorySection(const ProfilerInputs& inputs);

// What to do, the largest gain first.
std::vector<Advice> WhatToDoFirst(const ProfilerInputs& inputs);

// Below, what several of them need.

inline constexpr size_t kMostLines = 16;         // In one chart.
inline constexpr double kMuchBetweenSteps = 25;  // Percent of the time.

// When the job did what, in seconds since 1970.
struct JobTimes {
  std::optional<double> start, end;
  std::optional<double> loop_start, loop_end;  // Without steps: none.
};
JobTimes TimesOf(const ProfilerInputs& inputs);
// How charts over time begin and what they shade.
LinesLook LookOf(const ProfilerInputs& inputs, std::string unit);

// "LoadBalancing was not evaluated: no GPU found on this node.", or why else there is no data.
Paragraph NothingOf(const ProfilerInputs& inputs, std::string_view rule);
// "LowGPUUtilization checked 3,608 data points: problems found in 4 intervals."
Paragraph VerdictOf(const ProfilerInputs& inputs, std::string_view rule, std::string_view points);

// The breakdown of framework time in Details, as pies and bars; `when` follows the titles.
std::vector<Chart> FrameworkCharts(const Json& details, const std::string& when);

// How busy each CPU and GPU was over time, of the Details of OverallSystemUsage.
std::optional<Chart> DeviceMap(const Json& details, double origin);

// BOX and everything that has its members; nothing if one is missing.
std::optional<Box> BoxOf(const std::string& label, const Json& box);

// "algo-1 gpu0" where there are several nodes, else "gpu0".
std::string DeviceName(const std::string& node, const std::string& device, bool several_nodes);
// The objects in Details by node, at most 64 nodes: "last_timestamp" and the like left out.
std::vector<std::pair<std::string, const Json*>> NodesIn(const Json& details);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_SECTIONS_H_
