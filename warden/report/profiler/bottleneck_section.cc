// When the GPUs waited for the CPUs or for storage.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

struct Kind {
  std::string_view rule;
  std::string_view id;
  std::string_view title;
  std::string_view cause;      // "CPU utilization was above {}".
  std::string_view parameter;  // Of that.
  double default_value;
};
constexpr Kind kCpu = {"CPUBottleneck",   "cpu-bottlenecks",
                       "CPU bottlenecks", "CPU utilization was above {}",
                       "cpu_threshold",   90};
constexpr Kind kIo = {"IOBottleneck",          "io-bottlenecks", "I/O bottlenecks",
                      "I/O wait was above {}", "io_threshold",   50};

Table NodesTable(const Json& details) {
  Table table = {.caption = "Data points per node",
                 .columns = {"node", "data points", "GPU low", "bottlenecks", "bottlenecks (%)"},
                 .rows = {},
                 .numeric = {false, true, true, true, true}};
  for (const auto& [node, statistics] : NodesIn(ObjectAt(details, "nodes"))) {
    const double points = AmountAt(*statistics, "points");
    const double bottlenecks = AmountAt(*statistics, "bottlenecks");
    table.rows.push_back({node, Fixed(points, 0), Fixed(AmountAt(*statistics, "low_gpu"), 0),
                          Fixed(bottlenecks, 0),
                          points > 0 ? Fixed(100 * bottlenecks / points, 1) : "–"});
  }
  return table;
}

Section BottleneckSection(const ProfilerInputs& inputs, const Kind& kind) {
  Section section = {.id = std::string(kind.id), .title = std::string(kind.title)};
  const Json& details = DetailsOf(inputs, kind.rule);
  const double points = AmountAt(details, "points");
  if (!(points > 0)) {
    section.text.push_back(NothingOf(inputs, kind.rule));
    return section;
  }
  const auto limit = [&](std::string_view name, double otherwise) {
    return ParameterOf(inputs, kind.rule, name).value_or(otherwise);
  };
  const double bottlenecks = std::clamp(AmountAt(details, "bottleneck_points"), 0.0, points);
  const double low = std::clamp(AmountAt(details, "low_gpu_utilization"), bottlenecks, points);
  const double percent = 100 * bottlenecks / points;
  const double allowed = limit("threshold", 50);
  const std::string cause =
      fmt::format(fmt::runtime(kind.cause), Percent(limit(kind.parameter, kind.default_value)));
  section.text.push_back(VerdictOf(inputs, kind.rule, "data points"));
  if (!FlagAt(details, "gpus").value_or(true)) {
    section.text.push_back({"No GPU was found, so no GPU waited.", Tone::kQuiet});
    return section;
  }
  section.text.push_back(
      {fmt::format("At {} of {} data points, a GPU was below {} while {}: {} of the time (limit "
                   "{}).",
                   Fixed(bottlenecks, 0), Fixed(points, 0), Percent(limit("gpu_threshold", 10)),
                   cause, Percent(percent), Percent(allowed)),
       percent > allowed ? Tone::kWarning : Tone::kPlain});
  section.charts.push_back(
      PieChart("Why GPUs were idle", {{"GPUs busy", points - low},
                                      {"idle for other reasons", low - bottlenecks},
                                      {"idle in a bottleneck", bottlenecks}}));
  if (bottlenecks > 0) {
    auto charts = FrameworkCharts(details, " (bottlenecks)");
    std::move(charts.begin(), charts.end(), std::back_inserter(section.charts));
  }
  Table table = NodesTable(details);
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

Section CpuBottleneckSection(const ProfilerInputs& inputs) {
  return BottleneckSection(inputs, kCpu);
}

Section IoBottleneckSection(const ProfilerInputs& inputs) { return BottleneckSection(inputs, kIo); }

}  // namespace warden::report
