#include "warden/base/dtype.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

TEST(DType, NamesRoundTrip) {
  for (DType dtype : kAllDTypes) EXPECT_EQ(ParseDType(DTypeName(dtype)), dtype);
  EXPECT_EQ(ParseDType("float"), std::nullopt);
  EXPECT_EQ(ParseDType(""), std::nullopt);
}

TEST(DType, Facts) {
  EXPECT_EQ(DTypeName(DType::kBFloat16), "bfloat16");
  EXPECT_EQ(DTypeSize(DType::kBFloat16), 2u);
  EXPECT_EQ(DTypeName(DType::kUInt64), "uint64");
  EXPECT_EQ(DTypeSize(DType::kUInt64), 8u);
  EXPECT_EQ(DTypeName(DType::kComplex128), "complex128");
  EXPECT_EQ(DTypeSize(DType::kComplex128), 16u);
  EXPECT_EQ(DTypeName(DType::kString), "str");
  EXPECT_EQ(DTypeSize(DType::kString), 0u);
}

TEST(DType, EachIsOfOneKindAtMost) {
  int floating = 0, integer = 0, complex = 0;
  for (DType dtype : kAllDTypes) {
    EXPECT_LE(IsFloating(dtype) + IsInteger(dtype) + IsComplex(dtype), 1) << DTypeName(dtype);
    floating += IsFloating(dtype);
    integer += IsInteger(dtype);
    complex += IsComplex(dtype);
  }
  EXPECT_EQ(floating, 4);
  EXPECT_EQ(integer, 8);
  EXPECT_EQ(complex, 2);
  EXPECT_FALSE(IsInteger(DType::kBool));
}

}  // namespace
}  // namespace warden
