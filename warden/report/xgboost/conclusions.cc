#include "warden/report/xgboost/conclusions.h"

#include <algorithm>
#include <cmath>

#include "warden/report/sorted.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kFewestValues = 4;
constexpr double kMuchLost = 0.05;    // Of what had been gained.
constexpr double kMuchGained = 0.05;  // In the last fifth of the steps.

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
  if (fit.lost > kMuchLost) {
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
