#include "warden/report/xgboost/model_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "warden/rules/xgboost_names.h"

namespace warden::report::xgboost {
namespace {

constexpr double kLargestWhole = 0x1p53;
constexpr size_t kMostClassesToGuess = 100;

Task TaskOfObjective(std::string_view objective) {
  static constexpr std::pair<std::string_view, Task> kFamilies[] = {
      {"binary:", Task::kBinary},    {"multi:", Task::kMulticlass}, {"reg:", Task::kRegression},
      {"count:", Task::kRegression}, {"rank:", Task::kRanking},     {"survival:", Task::kSurvival}};
  for (const auto& [prefix, task] : kFamilies) {
    if (objective.starts_with(prefix)) return task;
  }
  return Task::kUnknown;
}

Task TaskOfMetric(std::string_view metric) {
  static constexpr std::array<std::string_view, 2> kMulti = {"mlogloss", "merror"};
  static constexpr std::array<std::string_view, 2> kTwo = {"logloss", "error"};
  static constexpr std::array<std::string_view, 3> kRank = {"ndcg", "map", "pre"};
  static constexpr std::array<std::string_view, 3> kSurvive = {"cox-nloglik", "aft-nloglik",
                                                               "interval-regression-accuracy"};
  static constexpr std::array<std::string_view, 2> kAny = {"auc", "aucpr"};
  const auto is_in = [&](const auto& all) {
    return std::find(all.begin(), all.end(), rules::BaseOfMetric(metric)) != all.end();
  };
  if (!rules::IsXgboostMetric(metric) || is_in(kAny)) return Task::kUnknown;
  if (is_in(kMulti)) return Task::kMulticlass;
  if (is_in(kTwo)) return Task::kBinary;
  if (is_in(kRank)) return Task::kRanking;
  if (is_in(kSurvive)) return Task::kSurvival;
  return Task::kRegression;
}

// What labels and predictions have in common.
struct Look {
  bool labels_are_0_or_1 = true;
  bool labels_are_whole = true;
  bool predictions_are_whole = true;
  bool predictions_are_shares = true;  // From 0 to 1.
  bool predictions_are_0_or_1 = true;
  std::set<double> labels = {};  // Some more than are looked for.
  size_t seen = 0;
};

Look LookAt(const Samples& samples) {
  Look look;
  samples.ForEach([&](double label, std::span<const double> row) {
    const double value = row.back();
    if (!std::isfinite(label) || !std::isfinite(value)) return;
    ++look.seen;
    look.labels_are_0_or_1 &= label == 0 || label == 1;
    look.labels_are_whole &= label >= 0 && ClassOf(label).has_value();
    look.predictions_are_whole &= value >= 0 && ClassOf(value).has_value();
    look.predictions_are_shares &= value >= 0 && value <= 1;
    look.predictions_are_0_or_1 &= value == 0 || value == 1;
    if (look.labels.size() <= kMostClassesToGuess) look.labels.insert(label);
  });
  return look;
}

std::pair<Task, std::string> Guess(const Samples& samples, const Look& look) {
  if (look.seen == 0) return {Task::kUnknown, "there are no finite predictions"};
  if (samples.width() > 1) return {Task::kMulticlass, "there is a prediction for each class"};
  if (look.labels_are_0_or_1) return {Task::kBinary, "every label is 0 or 1"};
  if (look.labels_are_whole && look.predictions_are_whole &&
      look.labels.size() <= kMostClassesToGuess) {
    return {Task::kMulticlass, "labels and predictions are whole numbers with few distinct values"};
  }
  return {Task::kRegression, "labels and predictions are continuous numbers"};
}

Scores ScoresOf(Task task, std::string_view objective, const Samples& samples, const Look& look) {
  if (!Classifies(task)) return Scores::kValue;
  if (samples.width() > 1) return Scores::kRow;
  if (task == Task::kMulticlass || objective == "binary:hinge") return Scores::kClass;
  if (objective == "binary:logitraw") return Scores::kMargin;
  if (objective == "binary:logistic") return Scores::kProbability;
  if (look.predictions_are_0_or_1) return Scores::kClass;
  return look.predictions_are_shares ? Scores::kProbability : Scores::kMargin;
}

// The metric that tells the task, if any does.
const MetricCurve* Telling(std::span<const MetricCurve> curves) {
  for (const MetricCurve& curve : curves) {
    if (TaskOfMetric(curve.metric) != Task::kUnknown) return &curve;
  }
  return nullptr;
}

}  // namespace

std::string_view TaskName(Task task) {
  switch (task) {
    case Task::kUnknown: return "unknown";
    case Task::kBinary: return "binary classification";
    case Task::kMulticlass: return "multiclass classification";
    case Task::kRegression: return "regression";
    case Task::kRanking: return "ranking";
    case Task::kSurvival: return "survival analysis";
  }
  return "unknown";
}

std::string_view ScoresName(Scores scores) {
  switch (scores) {
    case Scores::kValue: return "value";
    case Scores::kProbability: return "probability";
    case Scores::kMargin: return "margin";
    case Scores::kClass: return "class";
    case Scores::kRow: return "probability of each class";
  }
  return "value";
}

Recognised Recognise(const std::string& objective, std::span<const MetricCurve> curves,
                     const Samples* samples) {
  Recognised found;
  found.objective = objective;
  found.task = TaskOfObjective(objective);
  const Look look = samples == nullptr ? Look() : LookAt(*samples);
  if (found.task != Task::kUnknown) {
    found.how = fmt::format("The objective is {}.", objective);
  } else if (const MetricCurve* metric = Telling(curves)) {
    found.task = TaskOfMetric(metric->metric);
    found.how = fmt::format("Detected from the metric {}.", metric->tensor);
  } else if (samples != nullptr) {
    auto [task, why] = Guess(*samples, look);
    found.task = task;
    found.how = fmt::format("Detected from labels and predictions: {}.", why);
  } else {
    found.how =
        "The task is unknown: no objective, no task-specific metric and no predictions were saved.";
  }
  if (samples != nullptr) found.scores = ScoresOf(found.task, objective, *samples, look);
  if (found.scores == Scores::kMargin && objective != "binary:logitraw") {
    found.how += " Predictions are outside 0 to 1, so they are treated as log-odds.";
  }
  return found;
}

std::optional<int64_t> ClassOf(double label) {
  if (!(std::abs(label) < kLargestWhole) || label != std::floor(label)) return std::nullopt;
  return static_cast<int64_t>(label);
}

std::optional<Prediction> Predicted(Scores scores, std::span<const double> row) {
  if (!std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); })) {
    return std::nullopt;
  }
  switch (scores) {
    case Scores::kRow:
      return Prediction{std::max_element(row.begin(), row.end()) - row.begin(), row.back()};
    case Scores::kClass: {
      const auto label = ClassOf(std::round(row[0]));
      return label ? std::optional(Prediction{*label, row[0]}) : std::nullopt;
    }
    case Scores::kMargin: return Prediction{row[0] > 0 ? 1 : 0, 1 / (1 + std::exp(-row[0]))};
    case Scores::kProbability:
    case Scores::kValue: return Prediction{row[0] > 0.5 ? 1 : 0, row[0]};
  }
  return std::nullopt;
}

}  // namespace warden::report::xgboost
