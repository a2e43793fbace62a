// What classes were taken for, how often that was right, and how it came about.

#include <fmt/format.h>

#include <algorithm>

#include "warden/report/sorted.h"
#include "warden/report/words.h"
#include "warden/report/xgboost/conclusions.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kMostClassLines = 12;

std::string F(double value) { return Fixed(value, 4); }

// The pair of classes that is confused most often.
std::optional<Paragraph> MostConfused(const Classification& all) {
  const size_t n = all.classes.size();
  size_t row = 0;
  size_t column = 0;
  int64_t most = 0;
  for (size_t i = 0; i < all.matrix.size(); ++i) {
    if (i / n == i % n || all.matrix[i] <= most) continue;
    most = all.matrix[i];
    row = i / n;
    column = i % n;
  }
  if (most == 0) return std::nullopt;
  return Paragraph{fmt::format("The most common error is {} predicted as {}: {}, {} of its rows.",
                               ClassName(all.classes[row].label),
                               ClassName(all.classes[column].label), Counted(most, "time", "times"),
                               Percent(PercentOf(static_cast<double>(most),
                                                 static_cast<double>(all.classes[row].support))))};
}

Table AveragesTable(const Classification& all) {
  Table table = {.caption = "Averages over classes",
                 .columns = {"average", "precision", "recall", "F1"},
                 .rows = {},
                 .numeric = {false, true, true, true}};
  const std::pair<const char*, const Averages*> averages[] = {
      {"micro (every row counts the same)", &all.micro},
      {"macro (every class counts the same)", &all.macro},
      {"weighted (classes count by their rows)", &all.weighted}};
  for (const auto& [name, one] : averages) {
    table.rows.push_back({name, F(one->precision), F(one->recall), F(one->f1)});
  }
  return table;
}

Table ClassesTable(const Classification& all) {
  Table table = {.caption = "Metrics per class",
                 .columns = {"class", "precision", "recall", "F1", "rows", "predicted"},
                 .rows = {},
                 .numeric = {false, true, true, true, true, true},
                 .shown = kShownClasses};
  for (const ClassStatistics& one : all.classes) {
    table.rows.push_back({fmt::format("{}", one.label), F(one.precision), F(one.recall), F(one.f1),
                          Count(one.support), Count(one.predicted)});
  }
  return table;
}

}  // namespace

Section ConfusionSection(const RunStatistics& statistics) {
  Section section = {.id = "confusion", .title = "Confusion matrix"};
  if (!statistics.classification) {
    section.text.push_back(Missing(statistics.why_no_predictions, kSavePredictions));
    return section;
  }
  const Classification& all = *statistics.classification;
  section.text.push_back(
      {"Rows are true labels, columns are predictions; the diagonal is correct. Color shows the "
       "share of the row, so rare and frequent classes can be compared."});
  section.text.push_back(OfRows(all.rows, all.left_out, all.step));
  if (all.matrix.empty()) {
    section.text.push_back(
        {fmt::format("{} classes are too many to draw; see the table of classes below.",
                     Count(std::ssize(all.classes))),
         Tone::kQuiet});
    return section;
  }
  if (auto confused = MostConfused(all)) section.text.push_back(std::move(*confused));
  std::vector<std::string> labels;
  for (const ClassStatistics& one : all.classes) labels.push_back(fmt::format("{}", one.label));
  section.charts.push_back(MatrixChart("Labels and predictions", labels, all.matrix));
  return section;
}

Section EvaluationSection(const RunStatistics& statistics) {
  Section section = {.id = "evaluation", .title = "Evaluation of the confusion matrix"};
  if (!statistics.classification) {
    section.text.push_back(Missing(statistics.why_no_predictions, kSavePredictions));
    return section;
  }
  const Classification& all = *statistics.classification;
  section.text.push_back(
      {"Precision: share of the predictions of a class that are correct. Recall: share of the rows "
       "of a class that were found. F1 is high only if both are high. Undefined values count as "
       "0."});
  std::string text = fmt::format("Accuracy is {}: {} of the rows are predicted correctly.",
                                 F(all.accuracy), Percent(100 * all.accuracy));
  if (all.log_loss) {
    text += fmt::format(" Log loss is {}; it penalizes confident wrong predictions most.",
                        F(*all.log_loss));
  }
  section.text.push_back({text});
  if (statistics.recognised.task == Task::kBinary &&
      statistics.recognised.scores != Scores::kClass) {
    section.text.push_back({"A probability above 0.5 counts as class 1.", Tone::kQuiet});
  }
  section.tables = {AveragesTable(all), ClassesTable(all)};
  return section;
}

Section ClassAccuracySection(const RunStatistics& statistics) {
  Section section = {.id = "class-accuracy", .title = "Accuracy of each class by step"};
  if (!statistics.class_accuracy || statistics.class_accuracy->steps.empty()) {
    section.text.push_back(Missing(statistics.why_no_predictions, kSavePredictions));
    return section;
  }
  const ClassAccuracy& over = *statistics.class_accuracy;
  section.text.push_back(
      {"The diagonal of the confusion matrix over steps: the share of the rows of each class that "
       "is predicted correctly. A class that stays below the others needs more rows, more weight, "
       "or other features."});
  auto classes = over.classes;
  if (classes.size() > kMostClassLines) {
    SortStably(&classes, [](const auto& a, const auto& b) {
      return a.second.back().value_or(0) < b.second.back().value_or(0);
    });
    section.text.push_back({fmt::format("Showing the {} of {} classes with the lowest final "
                                        "accuracy.",
                                        kMostClassLines, classes.size()),
                            Tone::kQuiet});
    classes.resize(kMostClassLines);
  }
  std::vector<Line> lines;
  for (const auto& [label, values] : classes) {
    Line line = {.name = ClassName(label)};
    for (size_t i = 0; i < over.steps.size(); ++i) {
      line.times.push_back(static_cast<double>(over.steps[i]));
      line.values.push_back(values[i] ? std::optional(100 * *values[i]) : std::nullopt);
    }
    lines.push_back(std::move(line));
  }
  if (over.steps.size() == 1) {
    section.text.push_back(
        {"Predictions were saved at only one step. Save them at more steps to see the trend.",
         Tone::kQuiet});
  }
  LinesLook look;
  look.unit = "%";
  look.top = 100;
  look.over = "step";
  section.charts.push_back(LinesChart("Correct predictions per class", "%", lines, look));
  return section;
}

}  // namespace warden::report::xgboost
