// Metrics over the rounds, and whether the model is overfit or underfit.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/report/chart_building.h"
#include "warden/report/words.h"
#include "warden/report/xgboost/conclusions.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kMostPoints = 600;
constexpr size_t kMostMetrics = 12;

Line LineOf(const MetricCurve& curve) {
  Line line = {.name = curve.data};
  for (const size_t i : SomeOf(curve.steps.size(), kMostPoints)) {
    line.times.push_back(static_cast<double>(curve.steps[i]));
    const double value = curve.values[i];
    line.values.push_back(std::isfinite(value) ? std::optional(value) : std::nullopt);
  }
  if (curve.best) {
    line.marks.emplace_back(static_cast<double>(curve.steps[*curve.best]),
                            curve.values[*curve.best]);
  }
  return line;
}

Chart MetricChart(const MetricGroup& group) {
  std::vector<Line> lines;
  Extent extent;
  for (const MetricCurve* curve : group.curves) {
    lines.push_back(LineOf(*curve));
    const Extent own = ExtentOf(lines.back().values);
    extent.low = std::min(extent.low, own.low);
    extent.high = std::max(extent.high, own.high);
  }
  LinesLook look;
  look.over = "step";
  if (extent.any()) {
    const double room = std::max(0.08 * (extent.high - extent.low), 1e-9 * std::abs(extent.high));
    look.top = extent.high + (room > 0 ? room : 1);
    // From zero where that leaves the lines apart.
    look.bottom = extent.low >= 0 && extent.low < 0.5 * extent.high ? 0 : extent.low - room;
  }
  return LinesChart(fmt::format("{} ({} is better; dots: best)", group.metric,
                                group.curves[0]->more_is_better ? "higher" : "lower"),
                    group.metric, lines, look);
}

Table MetricsTable(const std::vector<MetricGroup>& groups) {
  Table table = {.caption = "Metric values",
                 .columns = {"metric", "data", "first", "last", "best", "best step"},
                 .rows = {},
                 .numeric = {false, false, true, true, true, true}};
  for (const MetricGroup& group : groups) {
    for (const MetricCurve* curve : group.curves) {
      table.rows.push_back(
          {curve->metric, curve->data, fmt::format("{:.6g}", curve->values[0]),
           fmt::format("{:.6g}", curve->values.back()),
           curve->best ? fmt::format("{:.6g}", curve->values[*curve->best]) : "–",
           curve->best ? Fixed(static_cast<double>(curve->steps[*curve->best]), 0) : "–"});
    }
  }
  return table;
}

Paragraph Verdict(const MetricCurve& curve) {
  const Fit fit = FitOf(curve);
  const std::string name = curve.tensor;
  switch (fit.trend) {
    case Trend::kTooShort:
      return {fmt::format("{} was saved at too few steps to detect overfitting or underfitting. "
                          "Save it at more steps.",
                          name),
              Tone::kQuiet};
    case Trend::kNotImproving:
      return {
          fmt::format("{} never improved on its first value ({}): the model learns nothing that "
                      "generalizes. Check the labels, the features and the learning rate.",
                      name, ThreeDigits(fit.best)),
          Tone::kWarning};
    case Trend::kOverfit:
      return {fmt::format("Overfitting: {} was best at step {} ({}) and is {} now; {} of the "
                          "improvement is lost. Stop at that step (early_stopping_rounds), or "
                          "regularize: lower max_depth or eta, raise min_child_weight, lambda or "
                          "gamma, or sample rows and columns.",
                          name, fit.best_step, ThreeDigits(fit.best), ThreeDigits(fit.last),
                          Percent(100 * fit.lost)),
              Tone::kWarning};
    case Trend::kImproving:
      return {fmt::format("Underfitting so far: {} is still improving at the last step. Train for "
                          "more rounds, or raise eta or max_depth.",
                          name),
              Tone::kWarning};
    case Trend::kSettled:
      return {fmt::format("{} has converged at {} (best {} at step {}). More rounds will not "
                          "change much.",
                          name, ThreeDigits(fit.last), ThreeDigits(fit.best), fit.best_step),
              Tone::kGood};
  }
  return {};
}

// How much worse the model does on what it has not seen.
std::optional<Paragraph> Gap(const RunStatistics& statistics) {
  for (const MetricGroup& group : GroupsOf(statistics)) {
    if (group.training == nullptr || group.validation == nullptr) continue;
    const double training = group.training->values.back();
    const double validation = group.validation->values.back();
    if (!std::isfinite(training) || !std::isfinite(validation) || group.training->more_is_better ||
        !(training > 0)) {
      continue;
    }
    return Paragraph{fmt::format(
        "At the last step, {} is {} on {} and {} on {}, {} times as much. A larger gap "
        "means more overfitting.",
        group.metric, ThreeDigits(training), group.training->data, ThreeDigits(validation),
        group.validation->data, ThreeDigits(validation / training))};
  }
  return std::nullopt;
}

}  // namespace

Section LossSection(const RunStatistics& statistics) {
  Section section = {.id = "loss", .title = "Loss by step"};
  if (statistics.curves.empty()) {
    section.text.push_back(Missing("no metrics were saved",
                                   "Save the collection “metrics”, and pass evals to the "
                                   "training"));
    return section;
  }
  section.text.push_back(
      {"Both lines fall together while the model generalizes. If training keeps falling while "
       "validation rises, the model overfits. If both still fall at the end, the model "
       "underfits."});
  if (const MetricCurve* curve = DecidingCurve(statistics)) {
    section.text.push_back(Verdict(*curve));
    if (auto gap = Gap(statistics)) section.text.push_back(std::move(*gap));
  } else {
    section.text.push_back(
        {"All metrics are on training data. Add a validation set to evals to detect overfitting.",
         Tone::kWarning});
  }
  const std::vector<MetricGroup> groups = GroupsOf(statistics);
  for (const MetricGroup& group : groups) {
    const bool drawn =
        std::any_of(group.curves.begin(), group.curves.end(),
                    [](const MetricCurve* curve) { return curve->best.has_value(); });
    if (drawn && section.charts.size() < kMostMetrics) section.charts.push_back(MetricChart(group));
  }
  section.tables.push_back(MetricsTable(groups));
  return section;
}

}  // namespace warden::report::xgboost
