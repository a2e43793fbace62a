#include "warden/report/xgboost/xgboost_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/report/words.h"

namespace warden::report::xgboost {

Paragraph Missing(std::string_view why, std::string_view what_to_save) {
  return {fmt::format("No data: {}. {}.", why, what_to_save), Tone::kQuiet};
}

Paragraph OfRows(int64_t rows, int64_t left_out, Step step) {
  std::string text =
      fmt::format("Based on {} of validation data at step {}, the last step with predictions.",
                  Counted(rows, "row", "rows"), step);
  if (left_out == 0) return {text, Tone::kQuiet};
  return {fmt::format("{} {} excluded: the label or the prediction is not a usable number.", text,
                      left_out == 1 ? "1 row is" : Count(left_out) + " rows are"),
          Tone::kWarning};
}

std::string ClassName(int64_t label) { return fmt::format("class {}", label); }

double PercentOf(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::vector<size_t> SomeOf(size_t count, size_t most) {
  std::vector<size_t> places;
  if (count <= most) {
    for (size_t i = 0; i < count; ++i) places.push_back(i);
    return places;
  }
  for (size_t i = 0; i < most; ++i) places.push_back(i * (count - 1) / (most - 1));
  return places;
}

Section NoPredictionsSection(const RunStatistics& statistics) {
  Section section = {.id = "predictions", .title = "Predictions"};
  if (statistics.recognised.task == Task::kUnknown) {
    section.text.push_back(Missing("the task is unknown", kSavePredictions));
    return section;
  }
  section.text.push_back(
      {fmt::format(
           "Confusion matrix, ROC curve and residuals do not apply to {}. See the metrics and the "
           "feature importance above.",
           TaskName(statistics.recognised.task)),
       Tone::kQuiet});
  return section;
}

}  // namespace warden::report::xgboost
