#include "warden/rules/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace warden::rules {
namespace {

template <class T>
Distance Between(DType dtype, const std::vector<T>& after, const std::vector<T>& before) {
  const std::vector<int64_t> shape = {static_cast<int64_t>(after.size())};
  return DistanceBetween({after.data(), dtype, shape}, {before.data(), dtype, shape});
}

TEST(Distance, IsTheNormOfTheChange) {
  const auto distance = Between<float>(DType::kFloat32, {4, 2, 12}, {1, 2, 8});  // 3, 0, 4.
  EXPECT_EQ(distance.change, 5);
  EXPECT_DOUBLE_EQ(distance.before, std::sqrt(69.0));
  EXPECT_EQ(distance.places, 3u);
}

TEST(Distance, IsOverEveryValueThatIsFiniteInBoth) {
  for (const size_t size : {1u, 7u, 8u, 9u, 100u}) {
    std::vector<float> before(size, 1);
    std::vector<float> after(size, 1);
    after[size - 1] = 3;
    EXPECT_EQ(Between(DType::kFloat32, after, before).change, 2) << size;
    EXPECT_DOUBLE_EQ(Between(DType::kFloat32, after, before).before,
                     std::sqrt(static_cast<double>(size)));
  }
  const auto distance = Between<float>(DType::kFloat32, {NAN, 5, INFINITY, 1}, {1, NAN, 2, 4});
  EXPECT_EQ(distance.change, 3);
  EXPECT_EQ(distance.before, 4);
  EXPECT_EQ(distance.places, 1u);
}

TEST(Distance, DoesNotLeaveTheRangeOfDouble) {
  const auto large = Between<double>(DType::kFloat64, {3e200, 4e200}, {0, 0});
  EXPECT_DOUBLE_EQ(large.change, 5e200);
  const auto small = Between<double>(DType::kFloat64, {6e-200, 8e-200}, {3e-200, 4e-200});
  EXPECT_DOUBLE_EQ(small.change, 5e-200);
  EXPECT_DOUBLE_EQ(small.before, 5e-200);
}

TEST(Distance, OfWholeNumbersAndOfNone) {
  EXPECT_EQ(Between<int32_t>(DType::kInt32, {3, 0}, {0, 4}).change, 5);
  EXPECT_EQ(Between<float>(DType::kFloat32, {}, {}).places, 0u);
  EXPECT_EQ(Between<float>(DType::kComplex64, {}, {}).places, 0u);
}

}  // namespace
}  // namespace warden::rules
