#include "warden/report/xgboost/roc_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "warden/report/words.h"
#include "warden/report/xgboost/model_task.h"

namespace warden::report::xgboost {
namespace {

constexpr double kShortestMove = 1.0 / 500;      // Of the sum of both rates.
constexpr size_t kMostAtOnce = size_t{1} << 24;  // Scores that are held in memory.
constexpr size_t kMostScores = size_t{1} << 28;  // All of them, which must be sorted.
constexpr size_t kMostCurves = 100;

// Both kinds from the largest score down: calls visit with each point.
template <class F>
void Walk(const std::vector<double>& positives, const std::vector<double>& negatives, F visit) {
  RocPoint point{std::numeric_limits<double>::infinity(), 0, 0};
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
double Gain(const Roc& roc, const RocPoint& point) {
  return static_cast<double>(point.true_positives) * static_cast<double>(roc.negatives) -
         static_cast<double>(point.false_positives) * static_cast<double>(roc.positives);
}

void AddPoints(const std::vector<double>& positives, const std::vector<double>& negatives,
               const RocPoint& best, Roc* roc) {
  const auto rates = [&](const RocPoint& point) {
    return static_cast<double>(point.true_positives) / static_cast<double>(roc->positives) +
           static_cast<double>(point.false_positives) / static_cast<double>(roc->negatives);
  };
  Walk(positives, negatives, [&](const RocPoint& point) {
    const bool is_best = point.threshold == best.threshold;
    const bool is_last =
        point.true_positives == roc->positives && point.false_positives == roc->negatives;
    const bool far =
        roc->points.empty() || rates(point) - rates(roc->points.back()) >= kShortestMove;
    if (!is_best && !is_last && !far) return;
    if (is_best) roc->best = roc->points.size();
    roc->points.push_back(point);
  });
}

// The scores of some classes, each against the rest.
struct Gathered {
  std::vector<double> positives, negatives;
};

std::vector<Gathered> Gather(const Samples& samples, size_t first, size_t count) {
  std::vector<Gathered> gathered(count);
  samples.ForEach([&](double label, std::span<const double> row) {
    const auto is = ClassOf(label);
    if (!is || !Predicted(Scores::kRow, row)) return;
    for (size_t i = 0; i < count; ++i) {
      const bool positive = *is == static_cast<int64_t>(first + i);
      (positive ? gathered[i].positives : gathered[i].negatives).push_back(row[first + i]);
    }
  });
  return gathered;
}

Rocs OfEachClass(const Samples& samples) {
  Rocs rocs;
  const size_t classes = samples.width();
  if (classes > kMostCurves || samples.rows() * classes > kMostScores) {
    rocs.why_not = fmt::format("{} predictions for {} classes are too many to compare",
                               Count(static_cast<int64_t>(samples.rows())), classes);
    return rocs;
  }
  const size_t at_once = std::max<size_t>(1, kMostAtOnce / samples.rows());
  for (size_t first = 0; first < classes; first += at_once) {
    const size_t count = std::min(at_once, classes - first);
    std::vector<Gathered> gathered = Gather(samples, first, count);
    for (size_t i = 0; i < count; ++i) {
      rocs.curves.push_back(RocOf(static_cast<int64_t>(first + i), std::move(gathered[i].positives),
                                  std::move(gathered[i].negatives)));
    }
  }
  return rocs;
}

}  // namespace

Roc RocOf(int64_t label, std::vector<double> positives, std::vector<double> negatives) {
  Roc roc{.label = label, .positives = std::ssize(positives), .negatives = std::ssize(negatives)};
  if (positives.empty() || negatives.empty()) return roc;
  std::sort(positives.begin(), positives.end(), std::greater<>());
  std::sort(negatives.begin(), negatives.end(), std::greater<>());
  RocPoint last;
  RocPoint best{std::numeric_limits<double>::infinity(), 0, 0};
  double area = 0;  // Twice the area, in whole numbers.
  Walk(positives, negatives, [&](const RocPoint& point) {
    area += static_cast<double>(point.false_positives - last.false_positives) *
            static_cast<double>(point.true_positives + last.true_positives);
    if (Gain(roc, point) > Gain(roc, best)) best = point;
    last = point;
  });
  roc.auc = area / (2 * static_cast<double>(roc.positives) * static_cast<double>(roc.negatives));
  AddPoints(positives, negatives, best, &roc);
  return roc;
}

Rocs RocsOf(const Samples& samples, const Recognised& recognised) {
  if (recognised.task == Task::kMulticlass) {
    if (recognised.scores == Scores::kRow) return OfEachClass(samples);
    return {{},
            "class probabilities are needed, but predictions are class ids; train with objective "
            "multi:softprob"};
  }
  Gathered all;
  samples.ForEach([&](double label, std::span<const double> row) {
    const auto is = ClassOf(label);
    const auto predicted = Predicted(recognised.scores, row);
    if (!is || !predicted) return;
    (*is == 1 ? all.positives : all.negatives).push_back(predicted->score);
  });
  Roc roc = RocOf(1, std::move(all.positives), std::move(all.negatives));
  if (!roc.auc) return {{}, "labels of both classes are needed, but there are labels of only one"};
  return {{std::move(roc)}, ""};
}

}  // namespace warden::report::xgboost
