// How long steps take, and what happened in those that took much longer.

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr size_t kMostOutliers = 500;
constexpr size_t kShownOutliers = 10;

using Nodes = std::vector<std::pair<std::string, const Json*>>;

Table StatsTable(const Nodes& nodes) {
  Table table = {.caption = "Step durations (s)",
                 .columns = {"node", "phase", "mean", "max", "p99", "p95", "p50", "min", "std dev",
                             "outliers"},
                 .rows = {},
                 .numeric = {false, false, true, true, true, true, true, true, true, true}};
  for (const auto& [node, statistics] : nodes) {
    const Json& stats = ObjectAt(*statistics, "step_stats");
    std::vector<std::string> row = {node, TextAt(*statistics, "phase")};
    for (const char* statistic : {"mean", "max", "p99", "p95", "p50", "min"}) {
      const auto value = NumberAt(stats, statistic);
      row.push_back(value ? Fixed(*value, 3) : "–");
    }
    const auto deviation = NumberAt(*statistics, "stddev");
    row.push_back(deviation ? Fixed(*deviation, 3) : "–");
    row.push_back(Fixed(AmountAt(*statistics, "number_of_outliers"), 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Paragraph NodeSentence(const std::string& node, const Json& statistics, double sigmas) {
  const Json& stats = ObjectAt(statistics, "step_stats");
  const double outliers = AmountAt(statistics, "number_of_outliers");
  const double median = AmountAt(stats, "p50");
  const double longest = AmountAt(stats, "max");
  std::string text = fmt::format("{}: the median step time is {}, the longest step took {}", node,
                                 Duration(median), Duration(longest));
  if (median > 0) text += fmt::format(" ({} times the median)", ThreeDigits(longest / median));
  text += fmt::format(". {} more than {} standard deviations above the mean.",
                      outliers == 1 ? "1 step is" : Fixed(outliers, 0) + " steps are",
                      ThreeDigits(sigmas));
  return {text};
}

Chart DurationsHistogram(const Nodes& nodes) {
  std::vector<Histogram> histograms;
  for (const auto& [node, statistics] : nodes) {
    if (histograms.size() >= kMostLines) break;
    histograms.push_back({node, NumbersIn(ArrayAt(*statistics, "binedges")),
                          NumbersIn(ArrayAt(*statistics, "probs"))});
  }
  return HistogramChart("Step durations", "seconds", histograms);
}

struct Outlier {
  double step = 0, time = 0, seconds = 0;
};

std::vector<Outlier> OutliersIn(const Json& statistics) {
  std::vector<Outlier> outliers;
  for (const Json& one : ArrayAt(statistics, "outliers")) {
    const Values values = NumbersIn(one);
    if (values.size() < 3 || !values[0] || !values[1] || !values[2]) continue;
    outliers.push_back({*values[0], *values[1] / kMicroseconds, *values[2]});
  }
  return outliers;
}

std::optional<Chart> OverTime(const ProfilerInputs& inputs, const Nodes& nodes) {
  std::vector<Line> lines;
  for (const auto& [node, statistics] : nodes) {
    Line line = {.name = node};
    for (const Json& point : ArrayAt(*statistics, "series")) {
      const Values values = NumbersIn(point);
      if (values.size() < 2 || !values[0] || !values[1]) continue;
      line.times.push_back(*values[0] / kMicroseconds);
      line.values.push_back(values[1]);
    }
    for (const Outlier& one : OutliersIn(*statistics))
      line.marks.emplace_back(one.time, one.seconds);
    if (!line.values.empty() && lines.size() < kMostLines) lines.push_back(std::move(line));
  }
  if (lines.empty()) return std::nullopt;
  LinesLook look = LookOf(inputs, "s");
  look.loop.reset();
  if (look.origin == 0) look.origin = lines[0].times[0];
  return LinesChart("Step time over the run (dots: outliers)", "s", lines, look);
}

Table OutlierTable(const ProfilerInputs& inputs, const Nodes& nodes) {
  struct Row {
    std::string node;
    Outlier outlier;
    double median;
  };
  std::vector<Row> rows;
  for (const auto& [node, statistics] : nodes) {
    const double median = AmountAt(ObjectAt(*statistics, "step_stats"), "p50");
    for (const Outlier& one : OutliersIn(*statistics)) rows.push_back({node, one, median});
  }
  SortStably(&rows,
             [](const Row& a, const Row& b) { return a.outlier.seconds > b.outlier.seconds; });
  if (rows.size() > kMostOutliers) rows.resize(kMostOutliers);
  Table table = {.caption = "Longest steps",
                 .columns = {"node", "step", "time (s since start)", "seconds", "times the median"},
                 .rows = {},
                 .numeric = {false, true, true, true, true},
                 .shown = kShownOutliers};
  const double origin = LookOf(inputs, "s").origin;
  for (const Row& row : rows) {
    table.rows.push_back({row.node, Fixed(row.outlier.step, 0), Fixed(row.outlier.time - origin, 1),
                          Fixed(row.outlier.seconds, 3),
                          row.median > 0 ? Fixed(row.outlier.seconds / row.median, 1) : "–"});
  }
  return table;
}

Section Causes(const Json& details) {
  Section part = {.id = "step-outliers", .title = "What happened during outliers"};
  part.charts = FrameworkCharts(details, " (outliers)");
  part.text.push_back(
      part.charts.empty()
          ? Paragraph{"No other events were recorded during the outliers.", Tone::kQuiet}
          : Paragraph{"These charts cover only the time of outliers. Anything with a larger share "
                      "here than under “Framework metrics” is a likely cause."});
  return part;
}

}  // namespace

Section StepsSection(const ProfilerInputs& inputs) {
  Section section = {.id = "steps", .title = "Step durations"};
  const Json& details = DetailsOf(inputs, "StepOutlier");
  const Nodes nodes = NodesIn(ObjectAt(details, "step_details"));
  if (nodes.empty()) {
    section.text.push_back(NothingOf(inputs, "StepOutlier"));
    return section;
  }
  section.text.push_back(VerdictOf(inputs, "StepOutlier", "steps"));
  const double sigmas = ParameterOf(inputs, "StepOutlier", "stddev").value_or(3);
  for (const auto& [node, statistics] : nodes) {
    section.text.push_back(NodeSentence(node, *statistics, sigmas));
  }
  section.tables.push_back(StatsTable(nodes));
  auto over_time = OverTime(inputs, nodes);
  if (over_time) section.charts.push_back(std::move(*over_time));
  section.charts.push_back(DurationsHistogram(nodes));
  Table outliers = OutlierTable(inputs, nodes);
  if (!outliers.rows.empty()) {
    section.tables.push_back(std::move(outliers));
    section.parts.push_back(Causes(details));
  }
  return section;
}

}  // namespace warden::report
