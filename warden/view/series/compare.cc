#include "warden/view/series/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace warden::view {
namespace {

// A tensor and the statistic to show of it.
using Names = std::vector<std::pair<std::string, Statistic>>;

Names NamesOf(const RunSeries& run, const CompareWanted& wanted) {
  return run.With([&](const Table& table) {
    Names names;
    for (const TensorEntry& tensor : table.tensors()) {
      if (!table.IsIn(tensor, wanted.collection)) continue;
      const Statistic statistic = wanted.statistic.value_or(UsualStatistic(tensor));
      if (WorkerFor(table, tensor, {statistic})) names.emplace_back(tensor.name, statistic);
    }
    return names;
  });
}

// Of the run, in its range. One run is looked at at a time: to hold two would invite a deadlock.
std::vector<Point> PointsIn(const RunSeries& run, const std::string& name, Statistic statistic,
                            Mode mode) {
  return run.With([&](const Table& table) -> std::vector<Point> {
    const TensorEntry* tensor = table.Find(name);
    if (tensor == nullptr) return {};
    return PointsOf(table, *tensor, {statistic}, SlotAxis(table, {.mode = mode}));
  });
}

// 0 for what is the same, infinities and NaN among it; NaN where it cannot be said.
double Distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::quiet_NaN();
  const double larger = std::max(std::abs(a), std::abs(b));
  return std::abs(a / larger - b / larger);
}

void AddStep(double x, double a, double b, Difference* difference) {
  const double distance = Distance(a, b);
  const bool differ = distance != 0;
  if (differ && !difference->first) difference->first = x;
  // What cannot be measured is the farthest of all.
  const bool farther = std::isnan(distance) ? !std::isnan(difference->difference)
                                            : distance > difference->difference;
  if (difference->step && !farther) return;
  difference->step = x;
  difference->a = a;
  difference->b = b;
  difference->difference = distance;
}

Difference DifferenceOf(const std::vector<Point>& a, const std::vector<Point>& b) {
  Difference difference;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].x < b[j].x) {
      ++i;
    } else if (b[j].x < a[i].x) {
      ++j;
    } else {
      ++difference.steps;
      difference.last_step = a[i].x;
      AddStep(a[i].x, a[i].low, b[j].low, &difference);
      AddStep(a[i].x, a[i].high, b[j].high, &difference);
      ++i;
      ++j;
    }
  }
  return difference;
}

}  // namespace

Comparison Compare(const RunSeries& a, const RunSeries& b, const CompareWanted& wanted) {
  const Names of_a = NamesOf(a, wanted);
  const Names of_b = NamesOf(b, wanted);
  std::set<std::string> in_a, in_b;
  for (const auto& [name, statistic] : of_a) in_a.insert(name);
  for (const auto& [name, statistic] : of_b) in_b.insert(name);
  Comparison comparison;
  for (const auto& [name, statistic] : of_a) {
    if (!in_b.contains(name)) {
      comparison.only_a.push_back(name);
      continue;
    }
    Difference difference = DifferenceOf(PointsIn(a, name, statistic, wanted.mode),
                                         PointsIn(b, name, statistic, wanted.mode));
    difference.tensor = name;
    difference.statistic = statistic;
    comparison.tensors.push_back(std::move(difference));
  }
  for (const auto& [name, statistic] : of_b) {
    if (!in_a.contains(name)) comparison.only_b.push_back(name);
  }
  return comparison;
}

}  // namespace warden::view
