#include "warden/stats/ranking_curve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace warden::stats {
namespace {

constexpr double kShortestMove = 1.0 / 500;  // Of the sum of both rates, or of the precision.

double Ratio(int64_t part, int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Both kinds from the largest score down: calls visit with each point.
template <class F>
void WalkScores(const std::vector<double>& positives, const std::vector<double>& negatives,
                F visit) {
  RankingPoint point{std::numeric_limits<double>::infinity(), 0, 0};
  visit(point);
  size_t i = 0;
  size_t j = 0;
  while (i < positives.size() || j < negatives.size()) {
    const double none = -std::numeric_limits<double>::infinity();
    point.threshold = std::max(i < positives.size() ? positives[i] : none,
                               j < negatives.size() ? negatives[j] : none);
    while (i < positives.size() && positives[i] == point.threshold) ++i;
    while (j < negatives.size() && negatives[j] == point.threshold) ++j;
    point.true_positives = static_cast<int64_t>(i);
    point.false_positives = static_cast<int64_t>(j);
    visit(point);
  }
}

// True minus false positive rate, times what does not change.
double GainAt(const RankingCurve& curve, const RankingPoint& point) {
  return static_cast<double>(point.true_positives) * static_cast<double>(curve.negatives) -
         static_cast<double>(point.false_positives) * static_cast<double>(curve.positives);
}

double PrecisionAt(const RankingPoint& point) {
  const int64_t all = point.true_positives + point.false_positives;
  return all > 0 ? Ratio(point.true_positives, all) : 1;
}

void AddRankingPoints(const std::vector<double>& positives, const std::vector<double>& negatives,
                      const RankingPoint& best, RankingDetail detail, RankingCurve* curve) {
  const auto rates = [&](const RankingPoint& point) {
    return Ratio(point.true_positives, curve->positives) +
           Ratio(point.false_positives, curve->negatives);
  };
  const auto far = [&](const RankingPoint& point) {
    if (curve->points.empty()) return true;
    const RankingPoint& last = curve->points.back();
    if (rates(point) - rates(last) >= kShortestMove) return true;
    return detail == RankingDetail::kRatesPrecision &&
           std::abs(PrecisionAt(point) - PrecisionAt(last)) >= kShortestMove;
  };
  WalkScores(positives, negatives, [&](const RankingPoint& point) {
    const bool is_best = point.threshold == best.threshold;
    const bool is_last =
        point.true_positives == curve->positives && point.false_positives == curve->negatives;
    if (!is_best && !is_last && !far(point)) return;
    if (is_best) curve->best = curve->points.size();
    curve->points.push_back(point);
  });
}

}  // namespace

RankingCurve RankScores(std::vector<double> positives, std::vector<double> negatives,
                        RankingDetail detail) {
  RankingCurve curve{.positives = std::ssize(positives), .negatives = std::ssize(negatives)};
  if (positives.empty() || negatives.empty()) return curve;
  std::sort(positives.begin(), positives.end(), std::greater<>());
  std::sort(negatives.begin(), negatives.end(), std::greater<>());
  RankingPoint last;
  RankingPoint best{std::numeric_limits<double>::infinity(), 0, 0};
  double area = 0;  // Twice the area, in whole numbers.
  double precision = 0;
  WalkScores(positives, negatives, [&](const RankingPoint& point) {
    area += static_cast<double>(point.false_positives - last.false_positives) *
            static_cast<double>(point.true_positives + last.true_positives);
    precision +=
        static_cast<double>(point.true_positives - last.true_positives) * PrecisionAt(point);
    if (GainAt(curve, point) > GainAt(curve, best)) best = point;
    last = point;
  });
  const auto count = static_cast<double>(curve.positives);
  curve.auc = area / (2 * count * static_cast<double>(curve.negatives));
  curve.average_precision = precision / count;
  AddRankingPoints(positives, negatives, best, detail, &curve);
  return curve;
}

}  // namespace warden::stats
