#ifndef WARDEN_STATS_RANKING_CURVE_H_
#define WARDEN_STATS_RANKING_CURVE_H_

// How well scores tell two kinds of samples apart: ROC and precision-recall curves with their
// areas. Used by the XGBoost report and by the dashboard. Pure functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warden::stats {

// One threshold and what it does. Counts of samples: the true positive rate (recall) is
// true_positives / positives, the false positive rate false_positives / negatives, the precision
// true_positives / (true_positives + false_positives).
struct RankingPoint {
  double threshold = 0;  // What is at least as much is taken for positive; infinite for the first.
  int64_t true_positives = 0;
  int64_t false_positives = 0;
};

// Points from the highest threshold to the lowest.
struct RankingCurve {
  int64_t positives = 0, negatives = 0;
  // Exact, 0 to 1; none if there are no positives or no negatives. The area under the ROC curve,
  // and the mean of the precision over the positives, both as scikit-learn defines them.
  std::optional<double> auc = {}, average_precision = {};
  std::vector<RankingPoint> points = {};
  size_t best = 0;  // The point of the largest true minus false positive rate.
};

// Which differences a reader must be able to see between the points that are kept.
enum class RankingDetail : uint8_t {
  kRates,           // Those of a ROC curve: at most some 1000 points.
  kRatesPrecision,  // Also those of a precision-recall curve: a few times as many.
};

// The curve of the scores of both kinds of samples: exact areas and best point, and those of its
// points that can be told apart. Without samples of one kind there is no area and no point.
// REQUIRES: finite scores. O(n log n).
RankingCurve RankScores(std::vector<double> positives, std::vector<double> negatives,
                        RankingDetail detail);

}  // namespace warden::stats

#endif  // WARDEN_STATS_RANKING_CURVE_H_
