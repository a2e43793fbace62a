#include "warden/report/xgboost/class_counts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "warden/report/xgboost/xgboost_for_test.h"

namespace warden::report::xgboost {
namespace {

TEST(ClassCounts, AnyWholeNumberIsAClass) {
  const Classification all =
      Evaluate(CountClasses(SamplesOf({-3, 5e9, 5e9, 0}, {-3, 5e9, 0, 0}), Scores::kClass));
  ASSERT_EQ(all.classes.size(), 3u);
  EXPECT_EQ(all.classes[0].label, -3);
  EXPECT_EQ(all.classes[2].label, 5'000'000'000);
  EXPECT_EQ(all.classes[2].recall, 0.5);
  EXPECT_EQ(all.accuracy, 0.75);
  EXPECT_EQ(all.matrix, (std::vector<int64_t>{1, 0, 0, 0, 1, 0, 0, 1, 1}));
}

TEST(ClassCounts, NothingToDivideByCountsAsZero) {
  // Class 2 is predicted and never there, class 1 is there and never predicted.
  const Classification all = Evaluate(CountClasses(SamplesOf({0, 1}, {0, 2}), Scores::kClass));
  EXPECT_EQ(all.classes[1].precision, 0);
  EXPECT_EQ(all.classes[2].recall, 0);
  EXPECT_EQ(all.classes[2].f1, 0);
  EXPECT_DOUBLE_EQ(all.macro.f1, 1.0 / 3);
  EXPECT_EQ(all.weighted.f1, 0.5);
}

TEST(ClassCounts, MoreClassesThanAnybodyCanLookAtAreTold) {
  std::vector<double> labels;
  for (int i = 0; i < 3000; ++i) labels.push_back(i);
  const StepCounts counted = CountClasses(SamplesOf(labels, labels), Scores::kClass);
  EXPECT_TRUE(counted.too_many);
  EXPECT_EQ(counted.counts.Labels().size(), kMostClasses);
}

TEST(ClassCounts, ManyClassesHaveNoMatrix) {
  std::vector<double> labels;
  for (int i = 0; i < 150; ++i) labels.push_back(i);
  const Classification all = Evaluate(CountClasses(SamplesOf(labels, labels), Scores::kClass));
  EXPECT_TRUE(all.matrix.empty());
  EXPECT_EQ(all.classes.size(), 150u);
  EXPECT_EQ(all.accuracy, 1);
}

TEST(LogLossTest, OfCertaintiesIsFinite) {
  EXPECT_NEAR(*LogLoss(SamplesOf({0, 1}, {1, 0}), Scores::kProbability), 36.04, 0.01);
  EXPECT_NEAR(*LogLoss(SamplesOf({0, 1}, {0, 1}), Scores::kProbability), 0, 1e-15);
}

TEST(LogLossTest, NeedsAProbabilityOfEachLabel) {
  EXPECT_FALSE(LogLoss(SamplesOf({0, 5}, {0.5, 0.5, 0.5, 0.5}), Scores::kRow).has_value());
  EXPECT_FALSE(LogLoss(SamplesOf({0, 1}, {0, 1}), Scores::kClass).has_value());
  EXPECT_FALSE(LogLoss(SamplesOf({NAN}, {0.5}), Scores::kProbability).has_value());
}

}  // namespace
}  // namespace warden::report::xgboost
