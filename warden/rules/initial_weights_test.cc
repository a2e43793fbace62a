#include "warden/rules/initial_weights.h"

#include <gtest/gtest.h>

#include <vector>

namespace warden::rules {
namespace {

trial::TensorValue Weight(std::vector<int64_t> shape, const std::vector<float>& values) {
  return {DType::kFloat32, std::move(shape), std::as_bytes(std::span(values)), {}, nullptr};
}

TEST(Units, AreTwoOfTwoWeightsAtLeast) {
  const std::vector<float> values(4, 1);
  EXPECT_TRUE(HasUnits(Weight({2, 2}, values)));
  EXPECT_TRUE(HasUnits(Weight({2, 1, 2}, values)));
  EXPECT_FALSE(HasUnits(Weight({4}, values)));
  EXPECT_FALSE(HasUnits(Weight({4, 1}, values)));
  EXPECT_FALSE(HasUnits(Weight({1, 4}, values)));
  EXPECT_FALSE(HasUnits(Weight({0, 4}, {})));
  EXPECT_FALSE(HasUnits(Weight({4, 0}, {})));
}

TEST(Units, AreEqualOnlyIfAllAre) {
  const std::vector<float> equal = {1, 2, 1, 2, 1, 2};
  EXPECT_TRUE(UnitsAreEqual(Weight({3, 2}, equal)));
  EXPECT_FALSE(UnitsAreEqual(Weight({2, 3}, equal)));
  for (size_t i = 0; i < equal.size(); ++i) {
    std::vector<float> other = equal;
    other[i] = 9;
    EXPECT_FALSE(UnitsAreEqual(Weight({3, 2}, other))) << i;
  }
}

TEST(LossProgress, CountsTheStepsSinceTheBest) {
  const TensorView a(0, "a", "worker_0", {}, nullptr);
  const TensorView b(1, "b", "worker_0", {}, nullptr);
  LossProgress progress;
  EXPECT_EQ(progress.LeastStalled("worker_0", Mode::kTrain), nullptr);
  EXPECT_EQ(progress.Add(a, Mode::kTrain, 3).steps_since, 0);
  EXPECT_EQ(progress.Add(a, Mode::kTrain, 3).steps_since, 1);  // As good is no better.
  EXPECT_EQ(progress.Add(a, Mode::kTrain, 4).steps_since, 2);
  EXPECT_EQ(progress.LeastStalled("worker_0", Mode::kTrain)->steps_since, 2);
  EXPECT_EQ(progress.Add(b, Mode::kTrain, 7).steps_since, 0);
  EXPECT_EQ(progress.LeastStalled("worker_0", Mode::kTrain)->value, 7);
  EXPECT_EQ(progress.Add(a, Mode::kTrain, 2).steps_since, 0);
  EXPECT_EQ(progress.LeastStalled("worker_1", Mode::kTrain), nullptr);
}

}  // namespace
}  // namespace warden::rules
