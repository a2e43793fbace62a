#include "warden/report/xgboost/conclusions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "warden/report/sorted.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kFewestValues = 4;
constexpr double kMuchLost = 0.05;    // Of what had been gained.
constexpr double kMuchGained = 0.05;  // In the last fifth of the steps.
// A steady loss that is not noise: in so many values, in most of them, and by so much.
constexpr size_t kLongLoss = 10;
constexpr double kMostlyWorse = 0.6;
constexpr double kLittleLost = 0.005;  // Of what had been gained.

// Whether the values from the best one on get worse and worse: so do the means of their thirds.
bool GetsWorse(const std::vector<std::pair<Step, double>>& values, size_t best,
               bool more_is_better) {
  const size_t count = values.size() - best - 1;
  if (count < kLongLoss) return false;
  const double sign = more_is_better ? -1 : 1;
  size_t worse = 0;
  std::array<double, 3> sums = {};
  std::array<double, 3> counts = {};
  for (size_t i = 0; i < count; ++i) {
    const double value = values[best + 1 + i].second;
    if (sign * (value - values[best + i].second) > 0) ++worse;
    sums[3 * i / count] += sign * value;
    ++counts[3 * i / count];
  }
  return static_cast<double>(worse) > kMostlyWorse * static_cast<double>(count) &&
         sums[1] / counts[1] > sums[0] / counts[0] && sums[2] / counts[2] > sums[1] / counts[1];
}

}  // namespace

std::optional<Imbalance> ImbalanceOf(const LabelStatistics& labels) {
  if (labels.classes.size() < 2) return std::nullopt;
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [least, most] =
      std::minmax_element(labels.classes.begin(), labels.classes.end(), by_count);
  return Imbalance{most->first, least->first,
                   static_cast<double>(most->second) / static_cast<double>(least->second)};
}

Fit FitOf(const MetricCurve& curve) {
  std::vector<std::pair<Step, double>> finite;
  for (size_t i = 0; i < curve.values.size(); ++i) {
    if (std::isfinite(curve.values[i])) finite.emplace_back(curve.steps[i], curve.values[i]);
  }
  Fit fit;
  if (!curve.best || finite.empty()) return fit;
  fit.best_step = curve.steps[*curve.best];
  fit.best = curve.values[*curve.best];
  fit.last = finite.back().second;
  if (finite.size() < kFewestValues) return fit;
  const double gained = std::abs(fit.best - finite.front().second);
  if (!(gained > 0)) {
    fit.trend = Trend::kNotImproving;
    return fit;
  }
  fit.lost = std::abs(fit.last - fit.best) / gained;
  const double before = finite[(finite.size() - 1) * 4 / 5].second;
  const double lately = std::abs(before - fit.last) / gained;
  const auto best = std::find_if(finite.begin(), finite.end(),
                                 [&](const auto& one) { return one.first == fit.best_step; });
  if (fit.lost > kMuchLost ||
      (fit.lost > kLittleLost &&
       GetsWorse(finite, static_cast<size_t>(best - finite.begin()), curve.more_is_better))) {
    fit.trend = Trend::kOverfit;
  } else if (fit.best_step >= finite[finite.size() * 9 / 10].first && lately > kMuchGained) {
    fit.trend = Trend::kImproving;
  } else {
    fit.trend = Trend::kSettled;
  }
  return fit;
}

std::vector<MetricGroup> GroupsOf(const RunStatistics& statistics) {
  std::vector<MetricGroup> groups;
  for (const MetricCurve& curve : statistics.curves) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const MetricGroup& one) { return one.metric == curve.metric; });
    if (group == groups.end()) group = groups.insert(groups.end(), {curve.metric});
    group->curves.push_back(&curve);
  }
  for (MetricGroup& group : groups) {
    SortStably(&group.curves, [](const MetricCurve* a, const MetricCurve* b) {
      return a->OfTraining() && !b->OfTraining();
    });
    for (const MetricCurve* curve : group.curves) {
      const MetricCurve*& place = curve->OfTraining() ? group.training : group.validation;
      if (place == nullptr) place = curve;
    }
  }
  return groups;
}

const MetricCurve* DecidingCurve(const RunStatistics& statistics) {
  const MetricCurve* fallback = nullptr;
  for (const MetricGroup& group : GroupsOf(statistics)) {
    if (group.validation == nullptr) continue;
    if (!group.validation->more_is_better) return group.validation;
    if (fallback == nullptr) fallback = group.validation;
  }
  return fallback;
}

const ClassStatistics* WorstClass(const Classification& all) {
  const ClassStatistics* worst = nullptr;
  for (const ClassStatistics& one : all.classes) {
    if (one.support == 0) continue;
    if (worst == nullptr || one.recall < worst->recall) worst = &one;
  }
  return worst;
}

}  // namespace warden::report::xgboost
