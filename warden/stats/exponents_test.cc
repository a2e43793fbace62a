#include "warden/stats/exponents.h"

#include <gtest/gtest.h>

#include "warden/stats/tensor_for_test.h"

namespace warden::stats {
namespace {

TEST(Exponents, BinsArePowersOfTwo) {
  const TestTensor tensor(DType::kFloat32, {1, -1.5, 2, 0, -0.0, 0x1p-130, kInf, -kInf, kNaN});
  const auto exponents = CountExponents(tensor.ref());
  ASSERT_TRUE(exponents.ok());
  const auto& bins = exponents.value().bins;
  EXPECT_EQ(bins[127], 2U);
  EXPECT_EQ(bins[128], 1U);
  EXPECT_EQ(bins[0], 3U);
  EXPECT_EQ(bins[255], 3U);
  EXPECT_EQ(exponents.value().count(), 9U);
}

TEST(Exponents, DoublesBeyondFloatAreInTheOuterBins) {
  const TestTensor tensor(DType::kFloat64, {1e300, 1e-300, 0x1p127, 0x1p-126});
  const auto exponents = CountExponents(tensor.ref());
  ASSERT_TRUE(exponents.ok());
  EXPECT_EQ(exponents.value().bins[255], 1U);
  EXPECT_EQ(exponents.value().bins[254], 1U);
  EXPECT_EQ(exponents.value().bins[1], 1U);
  EXPECT_EQ(exponents.value().bins[0], 1U);
}

TEST(Exponents, SharesAndMerging) {
  const TestTensor small(DType::kFloat16, {0, 0.25, 0.5, 1});
  const TestTensor large(DType::kInt32, {2, 1024, -1025, 4096});
  Exponents all = CountExponents(small.ref()).value();
  EXPECT_EQ(all.ShareBelow(0), 0.75);
  EXPECT_EQ(all.ShareFrom(0), 0.25);
  all.Merge(CountExponents(large.ref()).value());
  EXPECT_EQ(all.count(), 8U);
  EXPECT_EQ(all.ShareFrom(10), 3.0 / 8);
  EXPECT_EQ(all.ShareBelow(-500), 0);
  EXPECT_EQ(all.ShareBelow(500), 1);
}

TEST(Exponents, NothingAndWhatIsNotReal) {
  EXPECT_EQ(Exponents().ShareBelow(0), 0);
  EXPECT_EQ(Exponents().ShareFrom(0), 0);
  const int64_t none = 0;
  EXPECT_EQ(CountExponents({nullptr, DType::kComplex64, std::span(&none, 1)}).status().code(),
            Code::kInvalidType);
}

}  // namespace
}  // namespace warden::stats
