// True against false positives at every threshold.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/report/sorted.h"
#include "warden/report/words.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kDrawnCurves = 8;

double Rate(int64_t part, int64_t whole) {
  return PercentOf(static_cast<double>(part), static_cast<double>(whole));
}

void AddBinary(const Roc& roc, bool margins, Section* section) {
  section->text.push_back(
      {"A higher threshold misses more of class 1 (down on the curve). A lower threshold causes "
       "more false alarms (to the right). The area under the curve (AUC) is the probability that a "
       "row of class 1 gets a higher score than a row of class 0: 0.5 is chance, 1 is perfect."});
  const RocPoint& best = roc.points[roc.best];
  std::string text = fmt::format("AUC is {}.", Fixed(*roc.auc, 4));
  if (std::isfinite(best.threshold)) {
    text += fmt::format(
        " The difference between true and false positive rate is largest at threshold {:.4g} ({} "
        "and {}).",
        best.threshold, Percent(Rate(best.true_positives, roc.positives)),
        Percent(Rate(best.false_positives, roc.negatives)));
  }
  section->text.push_back({text, *roc.auc < 0.5 ? Tone::kWarning : Tone::kPlain});
  section->text.push_back(
      {fmt::format(
           "This threshold is best if both kinds of errors cost the same. Otherwise, move the "
           "handle to find a better trade-off.{}",
           margins ? " Predictions are log-odds; thresholds are probabilities." : ""),
       Tone::kQuiet});
  Thresholds thresholds{.positives = roc.positives, .negatives = roc.negatives, .best = roc.best};
  for (const RocPoint& point : roc.points) {
    thresholds.points.push_back({point.threshold, point.true_positives, point.false_positives});
  }
  section->charts.push_back(RocChart("True and false positive rate by threshold", thresholds));
}

void AddAreas(const std::vector<Roc>& curves, Section* section) {
  Table table = {.caption = "AUC per class (one vs. rest)",
                 .columns = {"class", "rows", "AUC"},
                 .rows = {},
                 .numeric = {false, true, true},
                 .shown = kShownClasses};
  double macro = 0;
  double weighted = 0;
  double rows = 0;
  size_t known = 0;
  for (const Roc& roc : curves) {
    table.rows.push_back(
        {fmt::format("{}", roc.label), Count(roc.positives), roc.auc ? Fixed(*roc.auc, 4) : "–"});
    if (!roc.auc) continue;
    ++known;
    macro += *roc.auc;
    weighted += *roc.auc * static_cast<double>(roc.positives);
    rows += static_cast<double>(roc.positives);
  }
  if (known > 0) {
    section->text.push_back(
        {fmt::format("The average AUC is {} (macro) and {} (weighted by rows).",
                     Fixed(macro / static_cast<double>(known), 4), Fixed(weighted / rows, 4))});
  }
  section->tables.push_back(std::move(table));
}

void AddClasses(const RunStatistics& statistics, Section* section) {
  section->text.push_back(
      {"Each class against all others, by its predicted probability. The AUC is the probability "
       "that a row of the class gets a higher score than a row of another class."});
  AddAreas(statistics.roc, section);
  std::vector<Roc> curves = statistics.roc;
  std::erase_if(curves, [](const Roc& roc) { return !roc.auc; });
  SortStably(&curves, [](const Roc& a, const Roc& b) { return *a.auc < *b.auc; });
  if (curves.size() > kDrawnCurves) {
    section->text.push_back({fmt::format("Showing the {} of {} classes with the lowest AUC.",
                                         kDrawnCurves, curves.size()),
                             Tone::kQuiet});
    curves.resize(kDrawnCurves);
  }
  std::vector<Line> lines;
  for (const Roc& roc : curves) {
    Line line = {.name = fmt::format("{} ({})", ClassName(roc.label), Fixed(*roc.auc, 3))};
    for (const size_t i : SomeOf(roc.points.size(), 200)) {
      line.times.push_back(Rate(roc.points[i].false_positives, roc.negatives) / 100);
      line.values.emplace_back(Rate(roc.points[i].true_positives, roc.positives));
    }
    lines.push_back(std::move(line));
  }
  if (lines.empty()) return;
  LinesLook look;
  look.unit = "%";
  look.top = 100;
  look.over = "false positive rate";
  section->charts.push_back(
      LinesChart("True positive rate per class (one vs. rest)", "%", lines, look));
}

}  // namespace

Section RocSection(const RunStatistics& statistics) {
  Section section = {.id = "roc", .title = "Receiver operating characteristic"};
  if (statistics.roc.empty()) {
    section.text.push_back(
        statistics.why_no_roc.empty()
            ? Missing(statistics.why_no_predictions, kSavePredictions)
            : Paragraph{fmt::format("No data: {}.", statistics.why_no_roc), Tone::kQuiet});
  } else if (statistics.recognised.task == Task::kBinary) {
    AddBinary(statistics.roc.front(), statistics.recognised.scores == Scores::kMargin, &section);
  } else {
    AddClasses(statistics, &section);
  }
  return section;
}

}  // namespace warden::report::xgboost
