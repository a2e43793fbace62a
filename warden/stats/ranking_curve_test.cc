#include "warden/stats/ranking_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warden::stats {
namespace {

RankingCurve Rank(std::vector<double> positives, std::vector<double> negatives) {
  return RankScores(std::move(positives), std::move(negatives), RankingDetail::kRatesPrecision);
}

TEST(RankingCurveTest, AreasOfACaseDoneByHand) {
  // From the top: + - + + -. Precision at the positives: 1, 2/3, 3/4.
  const RankingCurve curve = Rank({0.9, 0.7, 0.6}, {0.8, 0.1});
  EXPECT_DOUBLE_EQ(*curve.auc, 4.0 / 6);
  EXPECT_DOUBLE_EQ(*curve.average_precision, (1 + 2.0 / 3 + 3.0 / 4) / 3);
  ASSERT_EQ(curve.points.size(), 6U);
  EXPECT_TRUE(std::isinf(curve.points[0].threshold));
  EXPECT_EQ(curve.points[2].true_positives, 1);
  EXPECT_EQ(curve.points[2].false_positives, 1);
  EXPECT_EQ(curve.points[2].threshold, 0.8);
}

TEST(RankingCurveTest, TiesAreOnePoint) {
  const RankingCurve curve = Rank({0.9, 0.5}, {0.5, 0.1});
  EXPECT_EQ(*curve.auc, 0.875);
  EXPECT_DOUBLE_EQ(*curve.average_precision, (1 + 2.0 / 3) / 2);
  EXPECT_EQ(curve.points.size(), 4U);
  EXPECT_EQ(*Rank({0.5, 0.5}, {0.5}).auc, 0.5);
  EXPECT_DOUBLE_EQ(*Rank({0.5, 0.5}, {0.5}).average_precision, 2.0 / 3);
}

TEST(RankingCurveTest, WithoutOneKindThereIsNothing) {
  EXPECT_FALSE(Rank({0.5}, {}).auc);
  EXPECT_FALSE(Rank({}, {0.5}).average_precision);
  EXPECT_TRUE(Rank({}, {}).points.empty());
  EXPECT_EQ(Rank({0.5}, {}).positives, 1);
}

// Few positives among many negatives: hardly anything happens on the ROC curve, and all of it on
// the precision-recall curve.
TEST(RankingCurveTest, PrecisionOfRarePositivesIsKept) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> any;
  std::vector<double> positives, negatives;
  for (int i = 0; i < 200; ++i) positives.push_back(0.999 + 0.001 * any(random));
  for (int i = 0; i < 100'000; ++i) negatives.push_back(any(random));
  const RankingCurve coarse = RankScores(positives, negatives, RankingDetail::kRates);
  const RankingCurve fine = RankScores(positives, negatives, RankingDetail::kRatesPrecision);
  EXPECT_EQ(*coarse.average_precision, *fine.average_precision);
  EXPECT_LT(coarse.points.size(), 1100U);
  EXPECT_LT(fine.points.size(), 3000U);
  double largest = 0;
  for (size_t i = 2; i < fine.points.size(); ++i) {
    const auto precision = [&](size_t at) {
      const RankingPoint& point = fine.points[at];
      return static_cast<double>(point.true_positives) /
             static_cast<double>(point.true_positives + point.false_positives);
    };
    // Single samples move the precision by more as long as there are few of them.
    if (fine.points[i].true_positives < 100) continue;
    largest = std::max(largest, std::abs(precision(i) - precision(i - 1)));
  }
  EXPECT_LT(largest, 0.006);
}

}  // namespace
}  // namespace warden::stats
