// What the numbers ask for, most urgent first.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/report/words.h"
#include "warden/report/xgboost/conclusions.h"
#include "warden/report/xgboost/xgboost_sections.h"

namespace warden::report::xgboost {
namespace {

constexpr double kOneFeature = 0.8;    // Of all gain: suspicious.
constexpr double kFarFromHalf = 0.15;  // The best threshold.
constexpr double kMuchWorse = 0.2;     // Recall of a class below the accuracy.
constexpr double kMuchBias = 0.1;      // Mean of the residuals, in deviations.

using All = std::vector<Advice>;

void AddLeftOut(const RunStatistics& statistics, All* all) {
  const int64_t left_out = statistics.classification ? statistics.classification->left_out
                           : statistics.residuals    ? statistics.residuals->left_out
                                                     : 0;
  if (left_out == 0) return;
  all->push_back(
      {"Find out why some predictions cannot be compared",
       fmt::format("{} a label or prediction that is not finite, or a label that is not a class. "
                   "All values below exclude these rows.",
                   left_out == 1 ? "1 row has" : Count(left_out) + " rows have"),
       "", statistics.classification ? "confusion" : "residuals"});
}

void AddFit(const RunStatistics& statistics, All* all) {
  const MetricCurve* curve = DecidingCurve(statistics);
  if (curve == nullptr) {
    if (statistics.curves.empty()) return;
    all->push_back({"Add a validation set",
                    "All metrics are on training data, so the performance on unseen data is "
                    "unknown.",
                    "", "loss"});
    return;
  }
  const Fit fit = FitOf(*curve);
  if (fit.trend == Trend::kOverfit) {
    all->push_back({fmt::format("Stop at step {}", fit.best_step),
                    fmt::format("{} was {} at that step and is {} now: the model overfits. Use "
                                "early_stopping_rounds or smaller trees.",
                                curve->tensor, ThreeDigits(fit.best), ThreeDigits(fit.last)),
                    fmt::format("{} of the improvement lost", Percent(100 * fit.lost)), "loss"});
  } else if (fit.trend == Trend::kImproving) {
    all->push_back({"Train for more rounds",
                    fmt::format("{} is still improving at the last step.", curve->tensor), "",
                    "loss"});
  } else if (fit.trend == Trend::kNotImproving) {
    all->push_back({"Find out why the model does not learn",
                    fmt::format("{} is best at the first step. Check labels, features and eta.",
                                curve->tensor),
                    "", "loss"});
  }
}

void AddImbalance(const RunStatistics& statistics, All* all) {
  if (!statistics.labels || !Classifies(statistics.recognised.task)) return;
  const auto imbalance = ImbalanceOf(*statistics.labels);
  if (!imbalance || imbalance->ratio < kMuchImbalance) return;
  const bool binary = statistics.recognised.task == Task::kBinary;
  all->push_back(
      {"Weight the rare class",
       fmt::format("Class {} is {} times as frequent as class {}. {}", imbalance->most,
                   ThreeDigits(imbalance->ratio), imbalance->least,
                   binary ? fmt::format("Try scale_pos_weight={}.",
                                        ThreeDigits(imbalance->least == 1 ? imbalance->ratio
                                                                          : 1 / imbalance->ratio))
                          : "Weight rows by class, or oversample the rare classes."),
       "", "labels"});
}

void AddWorstClass(const RunStatistics& statistics, All* all) {
  if (!statistics.classification || statistics.classification->classes.size() < 2) return;
  const ClassStatistics* worst = WorstClass(*statistics.classification);
  if (worst == nullptr || worst->recall > statistics.classification->accuracy - kMuchWorse) return;
  all->push_back({fmt::format("Inspect {}", ClassName(worst->label)),
                  fmt::format("{} of its {} are predicted correctly, compared to {} of all rows.",
                              Percent(100 * worst->recall), Counted(worst->support, "row", "rows"),
                              Percent(100 * statistics.classification->accuracy)),
                  "", "confusion"});
}

void AddThreshold(const RunStatistics& statistics, All* all) {
  if (statistics.recognised.task != Task::kBinary || statistics.roc.size() != 1 ||
      statistics.recognised.scores == Scores::kClass) {
    return;
  }
  const Roc& roc = statistics.roc.front();
  const double best = roc.points[roc.best].threshold;
  if (!std::isfinite(best) || std::abs(best - 0.5) < kFarFromHalf) return;
  all->push_back({"Try another threshold",
                  fmt::format("The difference between true and false positive rate is largest at "
                              "{:.3g}, not at 0.5.",
                              best),
                  "", "roc"});
}

void AddOneFeature(const RunStatistics& statistics, All* all) {
  if (!statistics.importance) return;
  for (const ImportanceKind& kind : statistics.importance->kinds) {
    if (kind.kind != "total_gain" || kind.features.size() < 3) continue;
    const double share = kind.features.front().value / kind.Sum();
    if (!(share > kOneFeature)) continue;
    all->push_back(
        {fmt::format("Check the feature {}", kind.features.front().name),
         fmt::format("It accounts for {} of the total gain. Check that it is available at "
                     "prediction time and does not leak the label.",
                     Percent(100 * share)),
         "", "importance"});
  }
}

void AddBias(const RunStatistics& statistics, All* all) {
  if (!statistics.residuals) return;
  const Residuals& found = *statistics.residuals;
  const double chance = 3 * found.deviation / std::sqrt(static_cast<double>(found.rows));
  if (!(std::abs(found.mean) > std::max(chance, kMuchBias * found.deviation))) return;
  all->push_back({fmt::format("Predictions are too {}", found.mean > 0 ? "low" : "high"),
                  fmt::format("The mean residual is {}. Train longer, check base_score, and check "
                              "that training and validation data are similar.",
                              ThreeDigits(found.mean)),
                  "", "residuals"});
}

}  // namespace

std::vector<Advice> WhatToDoFirst(const RunStatistics& statistics) {
  All all;
  AddLeftOut(statistics, &all);
  AddFit(statistics, &all);
  AddOneFeature(statistics, &all);
  AddImbalance(statistics, &all);
  AddWorstClass(statistics, &all);
  AddBias(statistics, &all);
  AddThreshold(statistics, &all);
  return all;
}

std::vector<Paragraph> BelowAdvice(const RunStatistics& statistics, bool any_advice) {
  std::vector<Paragraph> text;
  const bool evaluated =
      !statistics.curves.empty() || statistics.classification || statistics.residuals;
  if (!evaluated) {
    text.push_back({"No metrics or predictions have been saved yet.", Tone::kQuiet});
  } else if (!any_advice) {
    text.push_back({"No problems found in the saved data.", Tone::kGood});
  }
  text.push_back(
      {"These hints are based on the values below. Weigh them against the cost of a wrong "
       "prediction.",
       Tone::kQuiet});
  return text;
}

}  // namespace warden::report::xgboost
