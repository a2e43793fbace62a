#include "warden/report/xgboost/roc_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/report/words.h"
#include "warden/report/xgboost/model_task.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kMostAtOnce = size_t{1} << 24;  // Scores that are held in memory.
constexpr size_t kMostScores = size_t{1} << 28;  // All of them, which must be sorted.
constexpr size_t kMostCurves = 100;

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
  stats::RankingCurve curve =
      stats::RankScores(std::move(positives), std::move(negatives), stats::RankingDetail::kRates);
  return {label, curve.positives, curve.negatives, curve.auc, std::move(curve.points), curve.best};
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
