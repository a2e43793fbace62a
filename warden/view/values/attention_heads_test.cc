#include "warden/view/values/attention_heads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "warden/trial/tensor_value_for_test.h"

namespace warden::view {
namespace {

using trial::FloatValue;

TEST(AttentionHeadsTest, EntropyAndPatternsOfHeads) {
  // Uniform; each query one key of its own; all queries the same key; half of each.
  const auto made = MakeAttentionHeads(FloatValue({1, 4, 2, 2}, {.5F, .5F, .5F, .5F,  //
                                                                 0, 1, 1, 0,          //
                                                                 0, 1, .02F, .98F,    //
                                                                 .5F, .5F, 0, 1}),
                                       0, 32);
  ASSERT_TRUE(made.ok()) << made.status().message();
  const auto& heads = made.value().heads;
  ASSERT_EQ(heads.size(), 4U);
  EXPECT_FALSE(made.value().causal);
  EXPECT_EQ(heads[0].pattern, HeadPattern::kUniform);
  EXPECT_DOUBLE_EQ(heads[0].entropy, 1);
  EXPECT_DOUBLE_EQ(heads[0].entropy_share, 1);
  EXPECT_EQ(heads[1].pattern, HeadPattern::kMixed);
  EXPECT_EQ(heads[1].entropy, 0);
  EXPECT_EQ(heads[2].pattern, HeadPattern::kOneKey);
  EXPECT_EQ(heads[2].top_key, 1);
  EXPECT_NEAR(heads[2].top_key_weight, .99, 1e-6);
  EXPECT_EQ(heads[3].pattern, HeadPattern::kMixed);
  EXPECT_DOUBLE_EQ(heads[3].entropy_share, .5);
}

TEST(AttentionHeadsTest, ACausalMaskAndPaddingDoNotCount) {
  // The first query has no choice, the second two keys; the last query and key are padding.
  const auto made =
      MakeAttentionHeads(FloatValue({1, 3, 3}, {1, 0, 0, .5F, .5F, 0, 0, 0, 0}), 0, 32);
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made.value().causal);
  EXPECT_EQ(made.value().samples, 1);
  EXPECT_EQ(made.value().heads[0].pattern, HeadPattern::kUniform);
  EXPECT_DOUBLE_EQ(made.value().heads[0].entropy, 1);
}

TEST(AttentionHeadsTest, NanAndNoWeightAreToldApart) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto made = MakeAttentionHeads(FloatValue({3, 1, 2}, {nan, 1, 0, 0, .25F, .75F}), 0, 32);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().heads[0].pattern, HeadPattern::kNotFinite);
  EXPECT_EQ(made.value().heads[1].pattern, HeadPattern::kNoWeight);
  EXPECT_NEAR(made.value().heads[2].entropy, .811278, 1e-6);
  EXPECT_EQ(HeadPatternName(made.value().heads[0].pattern), "not finite");
}

TEST(AttentionHeadsTest, PicturesAreMeansOfFields) {
  std::vector<float> weights(4 * 4, 0);
  for (size_t i = 0; i < 4; ++i) weights[i * 4 + i] = 1;
  std::vector<float> both(16, 1);
  both.insert(both.end(), weights.begin(), weights.end());
  const auto made = MakeAttentionHeads(FloatValue({2, 1, 4, 4}, both), 1, 2);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().rows, 2);
  EXPECT_EQ(made.value().pictures, (std::vector<float>{.5F, 0, 0, .5F}));
  EXPECT_EQ(made.value().samples, 2);
}

TEST(AttentionHeadsTest, Refuses) {
  const auto refused = [](const std::vector<int64_t>& shape, std::vector<float> values,
                          int64_t sample) {
    return MakeAttentionHeads(FloatValue(shape, std::move(values)), sample, 32).status().message();
  };
  EXPECT_EQ(refused({2, 2}, {0, 0, 0, 0}, 0),
            "the shape of the weights is 2 x 2; expected batch x heads x queries x keys or heads x "
            "queries x keys");
  EXPECT_EQ(refused({1, 1, 1, 1}, {1}, 1), "sample is 1; expected 0 to 0");
  EXPECT_EQ(refused({1, 1, 2}, {-2, 1}, 0),
            "a weight is -2; expected attention weights, which are 0 to 1");
}

}  // namespace
}  // namespace warden::view
