#include "warden/report/xgboost/roc_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "warden/report/xgboost/xgboost_for_test.h"

namespace warden::report::xgboost {
namespace {

TEST(RocCurve, TiesCountHalf) {
  EXPECT_EQ(*RocOf(1, {0.5, 0.5}, {0.5}).auc, 0.5);
  EXPECT_EQ(*RocOf(1, {0.9, 0.5}, {0.5, 0.1}).auc, 0.875);
}

TEST(RocCurve, TheBestPointIsTheFirstOfEquals) {
  const Roc roc = RocOf(1, {0.9, 0.4}, {0.6, 0.1});
  EXPECT_EQ(roc.points[roc.best].threshold, 0.9);
  EXPECT_EQ(roc.points[roc.best].true_positives, 1);
  EXPECT_EQ(roc.points[roc.best].false_positives, 0);
  EXPECT_EQ(roc.points.back().true_positives, 2);
}

TEST(RocCurve, WithoutOneOfBothThereIsNone) {
  EXPECT_FALSE(RocOf(1, {0.5}, {}).auc.has_value());
  EXPECT_TRUE(RocOf(1, {}, {}).points.empty());
}

TEST(RocCurve, ManyScoresGiveFewPoints) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> any;
  std::vector<double> positives;
  std::vector<double> negatives;
  for (int i = 0; i < 100'000; ++i) {
    positives.push_back(std::sqrt(any(random)));
    negatives.push_back(any(random));
  }
  const Roc roc = RocOf(1, positives, negatives);
  EXPECT_LT(roc.points.size(), 1100u);
  EXPECT_GT(roc.points.size(), 500u);
  EXPECT_NEAR(*roc.auc, 2.0 / 3, 0.01);
}

TEST(RocCurve, OfClassesAloneSaysWhatIsMissing) {
  Recognised recognised;
  recognised.task = Task::kMulticlass;
  recognised.scores = Scores::kClass;
  const Rocs rocs = RocsOf(SamplesOf({0, 1, 2}, {0, 1, 2}), recognised);
  EXPECT_TRUE(rocs.curves.empty());
  EXPECT_NE(rocs.why_not.find("multi:softprob"), std::string::npos);
}

}  // namespace
}  // namespace warden::report::xgboost
