#ifndef WARDEN_REPORT_PROFILER_PROFILER_SECTIONS_H_
#define WARDEN_REPORT_PROFILER_PROFILER_SECTIONS_H_

// The sections of the profiling report, and what they share. Used by BuildProfilerReport, and by
// the panels of the dashboard, which reuse some of them. Pure functions of the inputs; Details of
// any shape are accepted, see details.h.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/charts.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::report {

// The sections, one function each, in a file for each group of them: with the id that
// Advice::section refers to, and the rules whose Details they show. A section without data says so,
// with the reason, in one line.
Section JobSection(const ProfilerInputs& inputs);        // "job": MaxInitializationTime.
Section SystemSection(const ProfilerInputs& inputs);     // "system": OverallSystemUsage.
Section FrameworkSection(const ProfilerInputs& inputs);  // "framework": OverallFrameworkMetrics.
Section RulesSection(const ProfilerInputs& inputs);      // "rules": all of them.
Section RanksSection(const std::vector<view::Rank>& ranks,
                     const std::vector<view::RankMap>& maps);  // "ranks". REQUIRES: not empty.
Section StepsSection(const ProfilerInputs& inputs);            // "steps": StepOutlier.
Section GpuUseSection(const ProfilerInputs& inputs);           // "gpu": LowGPUUtilization.
Section BalanceSection(const ProfilerInputs& inputs);          // "balance": LoadBalancing.
Section LoadingSection(const ProfilerInputs& inputs);          // "loading": Dataloader.
Section BatchSection(const ProfilerInputs& inputs);            // "batch": BatchSize.
Section CpuBottleneckSection(const ProfilerInputs& inputs);    // "cpu-bottlenecks": CPUBottleneck.
Section IoBottleneckSection(const ProfilerInputs& inputs);     // "io-bottlenecks": IOBottleneck.
Section GpuMemorySection(const ProfilerInputs& inputs);        // "gpu-memory": GPUMemoryIncrease.

// What to do, the largest gain first; empty if nothing was found. Gains overlap and do not add up.
std::vector<Advice> WhatToDoFirst(const ProfilerInputs& inputs);

// Below, what several of them need.

inline constexpr size_t kMostLines = 16;         // In one chart.
inline constexpr double kMuchBetweenSteps = 25;  // Percent of the time.

// When the job did what, in seconds since 1970.
struct JobTimes {
  std::optional<double> start, end;
  std::optional<double> loop_start, loop_end;  // Without steps: none.
};
// From the Details of MaxInitializationTime; the start may also come from the first sample or step.
JobTimes TimesOf(const ProfilerInputs& inputs);
// Where charts over time begin and what they shade; with the unit "%", the axis ends at 100.
LinesLook LookOf(const ProfilerInputs& inputs, std::string unit);

// "LoadBalancing was not evaluated: no GPU found on this node.", or why else there is no data. For
// use where a rule left nothing to draw.
Paragraph NothingOf(const ProfilerInputs& inputs, std::string_view rule);
// "LowGPUUtilization checked 3,608 data points: problems found in 4 intervals." points: what the
// rule counts, in the plural. As NothingOf if the rule was not run or not evaluated.
Paragraph VerdictOf(const ProfilerInputs& inputs, std::string_view rule, std::string_view points);

// The breakdown of framework time in Details, as pies and bars; `when` follows the titles.
std::vector<Chart> FrameworkCharts(const Json& details, const std::string& when);

// How busy each CPU and GPU was over time, from the Details of OverallSystemUsage: at most 256
// devices and 600 columns. origin: where the axis starts, in seconds since 1970. Nothing without
// data.
std::optional<Chart> DeviceMap(const Json& details, double origin);

// An object with p25, p50 and p75 as a box; nothing if one is missing. Whiskers that are missing
// end at the box.
std::optional<Box> BoxOf(const std::string& label, const Json& box);

// "algo-1 gpu0" where there are several nodes, else "gpu0".
std::string DeviceName(const std::string& node, const std::string& device, bool several_nodes);
// The objects in Details by node, at most 64 nodes: "last_timestamp" and the like left out.
// Pointers into details.
std::vector<std::pair<std::string, const Json*>> NodesIn(const Json& details);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_PROFILER_SECTIONS_H_
