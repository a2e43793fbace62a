#include "warden/view/values/activation_map.h"

#include <gtest/gtest.h>

#include <limits>

#include "warden/trial/tensor_value_for_test.h"

namespace warden::view {
namespace {

using Values = std::vector<double>;

TEST(ActivationMap, WeighsChannelsByTheirMeanGradient) {
  // Two channels of 2 x 2: the first speaks for the class, the second against it.
  const auto activation = trial::FloatValue({2, 2, 2}, {4, 0, 2, 1, 0, 1, 2, 4});
  const auto gradient = trial::FloatValue({2, 2, 2}, {2, 0, 1, 1, -1, -1, 0, 0});
  const auto map = MakeActivationMap(activation, &gradient, 0);
  ASSERT_TRUE(map.ok()) << map.status().message();
  EXPECT_EQ(map.value().height, 2);
  EXPECT_EQ(map.value().width, 2);
  EXPECT_EQ(map.value().channels, 2);
  // 1 * {4 0 2 1} - 0.5 * {0 1 2 4} = {4 -0.5 1 -1}.
  EXPECT_EQ(map.value().values, (Values{1, 0, 0.25, 0}));
}

TEST(ActivationMap, TakesOneImageOfTheBatch) {
  const auto activation = trial::FloatValue({2, 1, 1, 3}, {9, 9, 9, 1, 2, 4});
  const auto gradient = trial::FloatValue({2, 1, 1, 3}, {9, 9, 9, 1, 1, 1});
  const auto map = MakeActivationMap(activation, &gradient, 1);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.value().images, 2);
  EXPECT_EQ(map.value().values, (Values{0.25, 0.5, 1}));
}

TEST(ActivationMap, WithoutGradientIsTheMeanOfTheChannels) {
  const auto map =
      MakeActivationMap(trial::FloatValue({2, 1, 3}, {-2, 0, 2, -2, 2, 2}), nullptr, 0);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.value().values, (Values{0, 0.75, 1}));
}

TEST(ActivationMap, SurvivesAnyValues) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const auto bad = trial::FloatValue({1, 2, 2}, {kNan, kInf, -kInf, 3});
  EXPECT_EQ(MakeActivationMap(bad, nullptr, 0).value().values, (Values{0, 0, 0, 1}));
  EXPECT_EQ(MakeActivationMap(bad, &bad, 0).value().values, (Values{0, 0, 0, 1}));
  const auto zero = trial::FloatValue({1, 1, 2}, {0, 0});
  EXPECT_EQ(MakeActivationMap(zero, &zero, 0).value().values, (Values{0, 0}));
}

std::string ErrorOf(const trial::TensorValue& activation, const trial::TensorValue* gradient,
                    int64_t image) {
  const auto map = MakeActivationMap(activation, gradient, image);
  EXPECT_EQ(map.status().code(), Code::kInvalid);
  return map.status().message();
}

TEST(ActivationMap, ErrorsTellTheShapes) {
  const auto picture = trial::FloatValue({1, 2, 2}, {1, 2, 3, 4});
  const auto flat = trial::FloatValue({4}, {1, 2, 3, 4});
  const std::string accepted =
      "expected batch x channels x height x width or channels x height x width";
  EXPECT_EQ(ErrorOf(flat, nullptr, 0), "the activation's shape is 4; " + accepted);
  EXPECT_EQ(ErrorOf(trial::FloatValue({2, 0, 3, 3}, {}), nullptr, 0),
            "the activation is empty: its shape is 2 x 0 x 3 x 3; " + accepted);
  EXPECT_EQ(ErrorOf(picture, &flat, 0),
            "the gradient's shape is 4; expected the activation's shape, 1 x 2 x 2");
  EXPECT_EQ(ErrorOf(picture, nullptr, 1), "image is 1; expected 0 to 0");
  EXPECT_EQ(ErrorOf(trial::FloatValue({0, 1, 2, 2}, {}), nullptr, 0),
            "image is 0; expected 0 to -1");
}

}  // namespace
}  // namespace warden::view
