#include "warden/report/xgboost/conclusions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warden::report::xgboost {
namespace {

MetricCurve Curve(const std::string& data, const std::vector<double>& values) {
  MetricCurve curve{data + "-rmse", data, "rmse"};
  for (size_t i = 0; i < values.size(); ++i) {
    curve.steps.push_back(static_cast<Step>(5 * i));
    curve.values.push_back(values[i]);
    if (std::isfinite(values[i]) && (!curve.best || values[i] < curve.values[*curve.best])) {
      curve.best = i;
    }
  }
  return curve;
}

TEST(Conclusions, FollowTheCurve) {
  EXPECT_EQ(FitOf(Curve("v", {10, 6, 4, 3, 5, 7})).trend, Trend::kOverfit);
  EXPECT_EQ(FitOf(Curve("v", {10, 6, 4, 3, 5, 7})).best_step, 15);
  EXPECT_DOUBLE_EQ(FitOf(Curve("v", {10, 6, 4, 3, 5, 7})).lost, 4.0 / 7);
  EXPECT_EQ(FitOf(Curve("v", {10, 9, 8, 7, 6, 5})).trend, Trend::kImproving);
  EXPECT_EQ(FitOf(Curve("v", {10, 5, 4, 3.9, 3.89, 3.89})).trend, Trend::kSettled);
  EXPECT_EQ(FitOf(Curve("v", {10, 10, 11, 12})).trend, Trend::kNotImproving);
  EXPECT_EQ(FitOf(Curve("v", {10, 9})).trend, Trend::kTooShort);
  EXPECT_EQ(FitOf(Curve("v", {NAN, NAN, NAN, NAN, NAN})).trend, Trend::kTooShort);
  EXPECT_EQ(FitOf(Curve("v", {})).trend, Trend::kTooShort);
}

TEST(Conclusions, ASlowSteadyLossIsOverfitting) {
  std::vector<double> values;
  for (int i = 0; i <= 32; ++i) values.push_back(0.3 + 0.4 * std::exp(-i / 8.0));
  std::vector<double> noise = values;
  for (int i = 1; i <= 30; ++i) {
    values.push_back(values[32] + 0.0004 * i);
    noise.push_back(values[32] + (i % 3 == 0 ? 0.012 : 0.004));
  }
  const Fit rising = FitOf(Curve("v", values));
  EXPECT_EQ(rising.trend, Trend::kOverfit);
  EXPECT_EQ(rising.best_step, 5 * 32);
  EXPECT_LT(rising.lost, 0.05);
  EXPECT_EQ(FitOf(Curve("v", noise)).trend, Trend::kSettled);
  // Too short to tell.
  EXPECT_EQ(FitOf(Curve("v", {values.begin(), values.begin() + 40})).trend, Trend::kSettled);
}

TEST(Conclusions, ValidationDecides) {
  RunStatistics statistics;
  statistics.curves = {Curve("train", {3, 2, 1})};
  EXPECT_EQ(DecidingCurve(statistics), nullptr);
  statistics.curves.push_back(Curve("validation", {3, 2, 2}));
  EXPECT_EQ(DecidingCurve(statistics)->data, "validation");
  const auto groups = GroupsOf(statistics);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].training->data, "train");
  EXPECT_EQ(groups[0].validation->data, "validation");
}

TEST(Conclusions, ImbalanceIsOfTheMostToTheLeast) {
  LabelStatistics labels;
  labels.classes = {{0, 100}, {1, 4}, {2, 50}};
  EXPECT_EQ(ImbalanceOf(labels)->ratio, 25);
  EXPECT_EQ(ImbalanceOf(labels)->least, 1);
  labels.classes = {{0, 100}};
  EXPECT_FALSE(ImbalanceOf(labels).has_value());
}

}  // namespace
}  // namespace warden::report::xgboost
