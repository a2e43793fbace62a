#include "warden/capture/widen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace warden::capture {
namespace {

template <class To, class From>
std::vector<To> Widened(DType dtype, const std::vector<From>& values) {
  const int64_t count = std::ssize(values);
  const auto bytes = Widen({values.data(), dtype, std::span(&count, 1)});
  std::vector<To> wide(bytes.size() / sizeof(To));
  std::memcpy(wide.data(), bytes.data(), bytes.size());
  return wide;
}

TEST(Widen, KeepsEveryValue) {
  EXPECT_EQ(Widened<int32_t>(DType::kInt8, std::vector<int8_t>{-128, -1, 0, 127}),
            (std::vector<int32_t>{-128, -1, 0, 127}));
  EXPECT_EQ(Widened<int32_t>(DType::kInt16, std::vector<int16_t>{-32768, 32767}),
            (std::vector<int32_t>{-32768, 32767}));
  EXPECT_EQ(Widened<int32_t>(DType::kUInt16, std::vector<uint16_t>{0, 65535}),
            (std::vector<int32_t>{0, 65535}));
  EXPECT_EQ(Widened<int64_t>(DType::kUInt32, std::vector<uint32_t>{0, 4294967295}),
            (std::vector<int64_t>{0, 4294967295}));
  // Upper halves of the floats 1, -2 and infinity.
  EXPECT_EQ(Widened<float>(DType::kBFloat16, std::vector<uint16_t>{0x3F80, 0xC000, 0x7F80}),
            (std::vector<float>{1, -2, INFINITY}));
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  EXPECT_EQ((Widened<C128>(DType::kComplex64, std::vector<C64>{{1, -2}, {0.5, 3}})),
            (std::vector<C128>{{1, -2}, {0.5, 3}}));
}

TEST(Widen, TypesOfTheOriginal) {
  for (const DType dtype : {DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kInt32,
                            DType::kInt64, DType::kUInt8, DType::kBool, DType::kComplex128}) {
    EXPECT_EQ(OriginalType(dtype).value(), dtype);
  }
  EXPECT_EQ(OriginalType(DType::kUInt64).status().code(), Code::kInvalidType);
}

}  // namespace
}  // namespace warden::capture
