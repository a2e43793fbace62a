#include "warden/dashboard/tensors/classifier_quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "warden/trial/tensor_value_for_test.h"

namespace warden::dashboard {
namespace {

using trial::FloatValue;
using trial::MakeValue;
using trial::TensorValue;

TensorValue Labels(std::vector<int64_t> ids) {
  const auto count = std::ssize(ids);
  return MakeValue(DType::kInt64, {count}, std::move(ids));
}

std::string Refusal(const TensorValue& labels, const TensorValue& predictions) {
  return EvaluateClassifier(labels, predictions).status().message();
}

TEST(ClassifierQualityTest, ProbabilitiesOfThreeClasses) {
  // Predicted: 0, 1, 1, 2.
  const auto made = EvaluateClassifier(
      Labels({0, 1, 2, 2}), FloatValue({4, 3}, {.875F, .0625F, .0625F, .1875F, .75F, .0625F,  //
                                                .125F, .625F, .25F, .0625F, .0625F, .875F}));
  ASSERT_TRUE(made.ok()) << made.status().message();
  const ClassifierQuality& quality = made.value();
  EXPECT_EQ(quality.kind, ScoreKind::kProbabilities);
  EXPECT_EQ(quality.samples, 4);
  EXPECT_DOUBLE_EQ(quality.accuracy, .75);
  EXPECT_EQ(quality.matrix, (std::vector<int64_t>{1, 0, 0, 0, 1, 0, 0, 1, 1}));
  ASSERT_EQ(quality.classes.size(), 3U);
  EXPECT_EQ(quality.classes[2].labeled, 2);
  EXPECT_EQ(quality.classes[1].predicted, 2);
  EXPECT_EQ(quality.classes[2].right, 1);
  ASSERT_EQ(quality.curves.size(), 3U);
  // Class 1: its score is .75, those of the others are less. Class 2: .25 and .875 are above .0625.
  EXPECT_DOUBLE_EQ(*quality.curves[1].curve.auc, 1);
  EXPECT_DOUBLE_EQ(*quality.curves[2].curve.average_precision, 1);
  // Confidences .875, .75, .625, .875: the one of .625 is wrong.
  ASSERT_EQ(quality.calibration.size(), 10U);
  EXPECT_EQ(quality.calibration[8].count, 2);
  EXPECT_EQ(quality.calibration[8].confidence, .875);
  EXPECT_EQ(quality.calibration[8].right, 1);
  EXPECT_EQ(quality.calibration[6].right, 0);
  EXPECT_DOUBLE_EQ(quality.calibration_error, (.25 + .25 + .625) / 4);
}

TEST(ClassifierQualityTest, LogitsAreNormalizedByRow) {
  // Of class 1 the logits are 2 and 3, and the label has the smaller one; the probabilities are
  // about .88 and .27: ranked by probability, the label comes first.
  const auto made = EvaluateClassifier(Labels({1, 0}), FloatValue({2, 2}, {0, 2, 4, 3}));
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().kind, ScoreKind::kLogits);
  EXPECT_EQ(made.value().accuracy, 1);
  EXPECT_DOUBLE_EQ(*made.value().curves[1].curve.auc, 1);
  EXPECT_NEAR(made.value().curves[1].curve.points[1].threshold, 1 / (1 + std::exp(-2)), 1e-9);
}

TEST(ClassifierQualityTest, SingleScoresAreOfClassOne) {
  const auto probabilities =
      EvaluateClassifier(Labels({0, 0, 1, 1}), FloatValue({4, 1}, {.1F, .6F, .4F, .9F}));
  ASSERT_TRUE(probabilities.ok());
  EXPECT_EQ(probabilities.value().matrix, (std::vector<int64_t>{1, 1, 1, 1}));
  ASSERT_EQ(probabilities.value().curves.size(), 1U);
  EXPECT_EQ(probabilities.value().curves[0].id, 1);
  EXPECT_DOUBLE_EQ(*probabilities.value().curves[0].curve.auc, .75);
  // Logits are cut at 0, which is a probability of one half.
  const auto logits = EvaluateClassifier(Labels({0, 1}), FloatValue({2}, {-.5F, .25F}));
  ASSERT_TRUE(logits.ok());
  EXPECT_EQ(logits.value().kind, ScoreKind::kLogits);
  EXPECT_EQ(logits.value().accuracy, 1);
}

TEST(ClassifierQualityTest, ClassIdsHaveAMatrixAndNoCurves) {
  const auto made = EvaluateClassifier(Labels({7, 9, 9}), Labels({7, 7, 9}));
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().kind, ScoreKind::kClasses);
  EXPECT_EQ(made.value().classes[1].id, 9);
  EXPECT_EQ(made.value().matrix, (std::vector<int64_t>{1, 0, 1, 1}));
  EXPECT_TRUE(made.value().curves.empty());
  EXPECT_NE(made.value().why_no_curves.find("class ids"), std::string::npos);
  EXPECT_TRUE(made.value().calibration.empty());
}

TEST(ClassifierQualityTest, OneHotLabelsAndTokens) {
  const auto hot = EvaluateClassifier(FloatValue({2, 2}, {0, 1, 1, 0}),
                                      FloatValue({2, 2}, {.4F, .6F, .3F, .7F}));
  ASSERT_TRUE(hot.ok());
  EXPECT_EQ(hot.value().matrix, (std::vector<int64_t>{0, 1, 0, 1}));
  // Batch x tokens x classes; -100 is padding, NaN a broken row.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto tokens = EvaluateClassifier(MakeValue<int64_t>(DType::kInt64, {2, 2}, {0, -100, 1, 1}),
                                         FloatValue({2, 2, 2}, {3, 0, 9, 9, 0, 2, nan, 0}));
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ(tokens.value().samples, 2);
  EXPECT_EQ(tokens.value().left_out, 2);
  EXPECT_EQ(tokens.value().accuracy, 1);
}

TEST(ClassifierQualityTest, OfManyClassesTheMostFrequentAreShown) {
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < 300; ++i) ids.push_back(i);
  for (int i = 0; i < 3; ++i) ids.push_back(299);
  const auto made = EvaluateClassifier(Labels(ids), Labels(ids));
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().all_classes, 300);
  EXPECT_EQ(made.value().classes.size(), ClassifierQuality::kMostClasses);
  EXPECT_EQ(made.value().classes.back().labeled, 4);
}

TEST(ClassifierQualityTest, SaysWhatDoesNotFit) {
  EXPECT_EQ(Refusal(Labels({0, 1, 0}), FloatValue({2, 2}, {1, 0, 0, 1})),
            "labels have the shape 3 and predictions 2 x 2; expected a prediction or a row of "
            "scores for each label");
  EXPECT_EQ(Refusal(Labels({0, 5}), FloatValue({2}, {.5F, .25F})),
            "predictions have one score per label, and labels the class 5; expected a row of "
            "scores for each label, or labels 0 and 1");
  EXPECT_NE(Refusal(FloatValue({1, 3}, {1, 1, 0}), FloatValue({1, 3}, {.5F, .2F, .3F}))
                .find("expected one class per sample"),
            std::string::npos);
  EXPECT_EQ(Refusal(FloatValue({1}, {.5F}), Labels({1})), "labels are not whole numbers");
  EXPECT_FALSE(EvaluateClassifier(Labels({-100}), FloatValue({1, 2}, {1, 0})).ok());
}

}  // namespace
}  // namespace warden::dashboard
