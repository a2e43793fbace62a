// What the machines did: numbers, sentences and series.

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr double kWellUsed = 70;  // Percent.

struct Metric {
  std::string_view name;  // In Details.
  std::string_view title;
  std::string_view unit;
};
constexpr Metric kMetrics[] = {{"CPU", "CPU utilization", "%"},   {"GPU", "GPU utilization", "%"},
                               {"CPU memory", "CPU memory", "%"}, {"GPU memory", "GPU memory", "%"},
                               {"I/O", "I/O wait", "%"},          {"Network", "Network", "B/s"}};

Table UsageTable(const Json& details) {
  Table table = {.caption = "Usage per node",
                 .columns = {"node", "metric", "unit", "max", "p99", "p95", "p90", "p50", "min"},
                 .rows = {},
                 .numeric = {false, false, false, true, true, true, true, true, true}};
  for (const Metric& metric : kMetrics) {
    for (const auto& [node, statistics] : NodesIn(ObjectAt(details, metric.name))) {
      const bool percent = metric.unit == "%";
      std::vector<std::string> row = {node, std::string(metric.name), percent ? "%" : "bytes/s"};
      for (const char* statistic : {"max", "p99", "p95", "p90", "p50", "min"}) {
        const auto value = NumberAt(*statistics, statistic);
        row.push_back(value ? Fixed(*value, percent ? 2 : 0) : "–");
      }
      table.rows.push_back(std::move(row));
    }
  }
  SortStably(&table.rows, [](const auto& a, const auto& b) { return a[0] < b[0]; });
  return table;
}

// What to think of a node.
Paragraph NodeVerdict(const std::string& node, const Json& cpu, const Json& gpu) {
  const auto gpu95 = NumberAt(gpu, "p95");
  const auto gpu50 = NumberAt(gpu, "p50");
  const auto cpu95 = NumberAt(cpu, "p95");
  const auto cpu50 = NumberAt(cpu, "p50");
  if (!gpu95 || !gpu50) {
    if (!cpu95 || !cpu50) return {fmt::format("{}: no CPU and no GPU was measured.", node)};
    return {fmt::format("{}: no GPU was measured. Median CPU utilization is {}, p95 is {}.", node,
                        Percent(*cpu50), Percent(*cpu95))};
  }
  if (*gpu50 > kWellUsed) {
    return {fmt::format("{}: the GPUs are well used, {} at the median.", node, Percent(*gpu50)),
            Tone::kGood};
  }
  if (*gpu95 < kWellUsed && cpu95 && *cpu95 < kWellUsed) {
    return {fmt::format("{}: neither GPUs nor CPUs are busy: for 95 % of the time, the GPUs are "
                        "below {} and the CPUs below {}. Use a smaller machine, or do more work "
                        "per step.",
                        node, Percent(*gpu95), Percent(*cpu95)),
            Tone::kWarning};
  }
  if (*gpu95 < kWellUsed && cpu95) {
    return {fmt::format("{}: the GPUs are idle (p95 {}) while the CPUs are busy (p95 {}). The CPUs "
                        "are probably the bottleneck.",
                        node, Percent(*gpu95), Percent(*cpu95)),
            Tone::kWarning};
  }
  return {
      fmt::format("{}: median utilization is {} for the GPUs and {} for the CPUs. The GPUs reach "
                  "{} (p95), so they work in bursts.",
                  node, Percent(*gpu50), cpu50 ? Percent(*cpu50) : "–", Percent(*gpu95))};
}

std::optional<Chart> SeriesChart(const ProfilerInputs& inputs, const Json& series,
                                 const Metric& metric) {
  std::vector<Line> lines;
  const auto nodes = NodesIn(series);
  for (const auto& [node, of_node] : nodes) {
    const Json& columns = ObjectAt(*of_node, metric.name);
    Line line = {.name = node,
                 .start = AmountAt(*of_node, "start_s"),
                 .interval = AmountAt(*of_node, "interval_s"),
                 .values = NumbersIn(ArrayAt(columns, "mean"))};
    const bool any = std::any_of(line.values.begin(), line.values.end(),
                                 [](const auto& value) { return value.has_value(); });
    if (!any || !(line.interval > 0) || lines.size() >= kMostLines) continue;
    if (nodes.size() <= 4) {
      line.low = NumbersIn(ArrayAt(columns, "min"));
      line.high = NumbersIn(ArrayAt(columns, "max"));
    }
    lines.push_back(std::move(line));
  }
  if (lines.empty()) return std::nullopt;
  const LinesLook look = LookOf(inputs, std::string(metric.unit));
  return LinesChart(std::string(metric.title), std::string(metric.unit), lines, look);
}

}  // namespace

Section SystemSection(const ProfilerInputs& inputs) {
  Section section = {.id = "system", .title = "System usage"};
  const Json& details = DetailsOf(inputs, "OverallSystemUsage");
  Table table = UsageTable(details);
  if (table.rows.empty()) {
    section.text.push_back(NothingOf(inputs, "OverallSystemUsage"));
    return section;
  }
  const Json& cpu = ObjectAt(details, "CPU");
  const Json& gpu = ObjectAt(details, "GPU");
  for (const auto& [node, statistics] : NodesIn(cpu)) {
    section.text.push_back(NodeVerdict(node, *statistics, ObjectAt(gpu, node)));
  }
  section.tables.push_back(std::move(table));
  const Json& series = ObjectAt(details, "series");
  for (const Metric& metric : kMetrics) {
    auto chart = SeriesChart(inputs, series, metric);
    if (chart) section.charts.push_back(std::move(*chart));
  }
  auto map = DeviceMap(details, LookOf(inputs, "%").origin);
  if (map) section.charts.push_back(std::move(*map));
  return section;
}

}  // namespace warden::report
