#include "warden/stats/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "warden/stats/cpu/block_kernel.h"
#include "warden/stats/tensor_for_test.h"

namespace warden::stats {
namespace {

TEST(Element, KnownHalves) {
  EXPECT_EQ(ToDouble(Float16{0x3C00}), 1);
  EXPECT_EQ(ToDouble(Float16{0xC000}), -2);
  EXPECT_EQ(ToDouble(Float16{0x7BFF}), 65504);
  EXPECT_EQ(ToDouble(Float16{0x0001}), 0x1p-24);
  EXPECT_EQ(ToDouble(Float16{0xFC00}), -kInf);
  EXPECT_TRUE(std::isnan(ToDouble(Float16{0x7C01})));
  EXPECT_TRUE(std::signbit(ToDouble(Float16{0x8000})));
  EXPECT_EQ(ToDouble(BFloat16{0x3F80}), 1);
  EXPECT_EQ(ToDouble(BFloat16{0xFF80}), -kInf);
}

template <class Half>
void ExpectEveryHalfTheSame(void (*widen)(const std::byte*, size_t, float*), DType dtype) {
  for (uint32_t first = 0; first < 0x10000; first += 0x1000) {
    std::array<Half, 0x1000> halves;
    for (uint32_t i = 0; i < 0x1000; ++i) halves[i].bits = static_cast<uint16_t>(first + i);
    std::array<float, 0x1000> wide;
    widen(reinterpret_cast<const std::byte*>(halves.data()), halves.size(), wide.data());
    for (uint32_t i = 0; i < 0x1000; ++i) {
      const double want = ToDouble(halves[i]);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(wide[i]));
        continue;
      }
      EXPECT_EQ(wide[i], want);
      EXPECT_EQ(RoundToType(want, dtype), want);
    }
  }
}

TEST(Element, EveryHalfWidensTheSameOnEveryTarget) {
  ForEachTarget([](const char* target) {
    SCOPED_TRACE(target);
    ExpectEveryHalfTheSame<Float16>(&cpu::WidenFloat16, DType::kFloat16);
    ExpectEveryHalfTheSame<BFloat16>(&cpu::WidenBFloat16, DType::kBFloat16);
  });
}

TEST(Element, RoundsToNearestEven) {
  EXPECT_EQ(RoundToType(1 + 0x1p-11, DType::kFloat16), 1);
  EXPECT_EQ(RoundToType(1 + 0x3p-11, DType::kFloat16), 1 + 0x1p-9);
  // Rounded to float first, this would be a tie and go the other way.
  EXPECT_EQ(RoundToType(1 + 0x1p-11 + 0x1p-40, DType::kFloat16), 1 + 0x1p-10);
  EXPECT_EQ(RoundToType(0x1p-25, DType::kFloat16), 0);
  EXPECT_EQ(RoundToType(0x1.8p-25, DType::kFloat16), 0x1p-24);
  EXPECT_EQ(RoundToType(65519, DType::kFloat16), 65504);
  EXPECT_EQ(RoundToType(-65520, DType::kFloat16), -kInf);
  EXPECT_EQ(RoundToType(1 + 0x1p-8, DType::kBFloat16), 1);
  EXPECT_EQ(RoundToType(3.4e38, DType::kBFloat16), kInf);
  EXPECT_EQ(RoundToType(0.1, DType::kFloat32), 0.1f);
  EXPECT_EQ(RoundToType(0.1, DType::kInt8), 0.1);
}

}  // namespace
}  // namespace warden::stats
