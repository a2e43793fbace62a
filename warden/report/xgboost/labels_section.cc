// How the labels are distributed, and whether that makes learning hard.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/report/words.h"
#include "warden/report/xgboost/conclusions.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

void AddClasses(const LabelStatistics& labels, Section* section) {
  std::vector<Named> bars;
  const auto rows = static_cast<double>(labels.rows - labels.not_finite);
  Table table = {.caption = "Labels by class",
                 .columns = {"label", "rows", "share (%)"},
                 .rows = {},
                 .numeric = {false, true, true},
                 .shown = kShownClasses};
  for (const auto& [label, count] : labels.classes) {
    const double percent = PercentOf(static_cast<double>(count), rows);
    bars.push_back({fmt::format("class {}", label), percent});
    table.rows.push_back({fmt::format("{}", label), Count(count), Fixed(percent, 2)});
  }
  section->charts.push_back(BarsChart("Share of labels per class", bars, "%", kShownClasses));
  section->tables.push_back(std::move(table));
  const auto imbalance = ImbalanceOf(labels);
  if (labels.classes.size() == 1) {
    section->text.push_back(
        {"All labels belong to one class, so there is nothing to classify.", Tone::kWarning});
  } else if (imbalance && imbalance->ratio >= kMuchImbalance) {
    section->text.push_back(
        {fmt::format(
             "Class {} is {} times as frequent as class {}. A model that always predicts the "
             "frequent class looks accurate. Compare recall and F1 per class, and weight or "
             "oversample the rare class.",
             imbalance->most, ThreeDigits(imbalance->ratio), imbalance->least),
         Tone::kWarning});
  } else if (imbalance) {
    section->text.push_back({fmt::format("The classes are balanced well enough: the most frequent "
                                         "class is {} times as frequent as the rarest.",
                                         ThreeDigits(imbalance->ratio)),
                             Tone::kGood});
  }
}

void AddValues(const LabelStatistics& labels, Section* section) {
  Values edges(labels.histogram.edges.begin(), labels.histogram.edges.end());
  Values shares;
  for (const int64_t count : labels.histogram.counts) {
    shares.emplace_back(static_cast<double>(count));
  }
  section->charts.push_back(HistogramChart("Label distribution", "label",
                                           {{"labels", std::move(edges), std::move(shares)}}));
  section->tables.push_back(
      {.caption = "Label statistics",
       .columns = {"min", "mean", "max", "std dev", "skewness"},
       .rows = {{ThreeDigits(labels.min), ThreeDigits(labels.mean), ThreeDigits(labels.max),
                 ThreeDigits(labels.deviation), ThreeDigits(labels.skewness)}},
       .numeric = {true, true, true, true, true}});
  if (!(labels.max > labels.min)) {
    section->text.push_back(
        {fmt::format("All labels are {}: there is nothing to learn.", ThreeDigits(labels.min)),
         Tone::kWarning});
  } else if (std::abs(labels.skewness) > kMuchSkew) {
    section->text.push_back(
        {fmt::format("The labels are skewed (skewness {}): only a few rows cover the far end.{}",
                     ThreeDigits(labels.skewness),
                     labels.skewness > 0 && labels.min > 0
                         ? " Training on their logarithm often helps."
                         : ""),
         Tone::kWarning});
  }
}

}  // namespace

Section LabelsSection(const RunStatistics& statistics) {
  Section section = {.id = "labels", .title = "Distribution of true labels"};
  if (!statistics.labels) {
    section.text.push_back(Missing(statistics.why_no_labels, kSavePredictions));
    return section;
  }
  const LabelStatistics& labels = *statistics.labels;
  section.text.push_back(
      {fmt::format("Based on {} of validation data, saved at step {}. Rare values are hard to "
                   "learn and hard to evaluate.",
                   Counted(labels.rows, "label", "labels"), labels.step)});
  if (labels.not_finite > 0) {
    section.text.push_back(
        {fmt::format("{} not finite and excluded.", labels.not_finite == 1
                                                        ? "1 label is"
                                                        : Count(labels.not_finite) + " labels are"),
         Tone::kWarning});
  }
  if (labels.rows == labels.not_finite) {
    section.text.push_back({"No label is a finite number.", Tone::kQuiet});
  } else if (!labels.classes.empty()) {
    AddClasses(labels, &section);
  } else {
    AddValues(labels, &section);
  }
  return section;
}

}  // namespace warden::report::xgboost
