#include "warden/view/text/array_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "warden/view/text/decimal.h"
#include "warden/view/text/element_format.h"

namespace warden::view {
namespace {

template <class T>
trial::TensorValue Value(const std::vector<T>& data, DType dtype, std::vector<int64_t> shape) {
  trial::TensorValue value;
  value.dtype = dtype;
  value.shape = std::move(shape);
  value.data = std::as_bytes(std::span(data));
  return value;
}

std::string Repr(const trial::TensorValue& value, bool all = false) {
  std::string text;
  PrintArray(value, all, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string Nested(const trial::TensorValue& value) {
  std::string text;
  PrintValuesAsJson(value, [&](std::string_view piece) { text += piece; });
  return text;
}

// What is expected here was printed by NumPy 1.24.

TEST(ArrayTextTest, AlignsFloats) {
  const std::vector<float> data = {1, -2.5, 0.125, 100};
  EXPECT_EQ(Repr(Value(data, DType::kFloat32, {2, 2})),
            "array([[  1.   ,  -2.5  ],\n"
            "       [  0.125, 100.   ]], dtype=float32)\n");
}

TEST(ArrayTextTest, TurnsToExponents) {
  const std::vector<double> data = {1e-7, 1, 1234567.5};
  EXPECT_EQ(Repr(Value(data, DType::kFloat64, {3})),
            "array([1.0000000e-07, 1.0000000e+00, 1.2345675e+06])\n");
}

TEST(ArrayTextTest, ShowsWhatIsNotFinite) {
  const std::vector<float> data = {1, NAN, -INFINITY};
  EXPECT_EQ(Repr(Value(data, DType::kFloat32, {3})), "array([  1.,  nan, -inf], dtype=float32)\n");
}

TEST(ArrayTextTest, OtherTypes) {
  const std::vector<int64_t> integers = {-5, 1000};
  EXPECT_EQ(Repr(Value(integers, DType::kInt64, {2})), "array([  -5, 1000])\n");
  const std::vector<uint8_t> booleans = {1, 0};
  EXPECT_EQ(Repr(Value(booleans, DType::kBool, {2})), "array([ True, False])\n");
  const std::vector<double> complex = {1, 2, -0.5, -3};
  EXPECT_EQ(Repr(Value(complex, DType::kComplex128, {2})), "array([ 1. +2.j, -0.5-3.j])\n");
  const std::vector<float> scalar = {2.5};
  EXPECT_EQ(Repr(Value(scalar, DType::kFloat32, {})), "array(2.5, dtype=float32)\n");
  EXPECT_EQ(Repr(Value(std::vector<float>{}, DType::kFloat32, {0, 3})),
            "array([], shape=(0, 3), dtype=float32)\n");
}

TEST(ArrayTextTest, SummarisesLargeArrays) {
  std::vector<int64_t> data(2000);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int64_t>(i);
  EXPECT_EQ(Repr(Value(data, DType::kInt64, {2000})),
            "array([   0,    1,    2, ..., 1997, 1998, 1999])\n");
  EXPECT_EQ(Repr(Value(data, DType::kInt64, {1000, 2})),
            "array([[   0,    1],\n"
            "       [   2,    3],\n"
            "       [   4,    5],\n"
            "       ...,\n"
            "       [1994, 1995],\n"
            "       [1996, 1997],\n"
            "       [1998, 1999]])\n");
  EXPECT_GT(Repr(Value(data, DType::kInt64, {2000}), /*all=*/true).size(), 10'000u);
}

TEST(ArrayTextTest, ManyDimensionsDoNoHarm) {
  const std::vector<float> data = {1};
  const trial::TensorValue value = Value(data, DType::kFloat32, std::vector<int64_t>(254, 1));
  EXPECT_NE(Repr(value).find("1."), std::string::npos);
  EXPECT_EQ(Nested(value).size(), 2 * 254 + 1u);
}

TEST(DecimalTest, IsTheShortestThatGivesTheValueBack) {
  EXPECT_EQ(Positional(0.1f, DType::kFloat32, 8), "0.1");
  EXPECT_EQ(Positional(1.0 / 3, DType::kFloat64, 8), "0.33333333");
  EXPECT_EQ(Positional(2, DType::kFloat64, 8), "2.");
  EXPECT_EQ(Positional(0.0999755859375, DType::kFloat16, 8), "0.1");
  EXPECT_EQ(Scientific(0.1f, DType::kFloat32, 3, 8), "1.000e-01");
  EXPECT_EQ(Scientific(1e20, DType::kFloat64, 0, 8), "1.e+20");
}

TEST(ElementTest, JsonIsExactAndValid) {
  const std::vector<uint64_t> large = {~uint64_t{0}};
  EXPECT_EQ(Nested(Value(large, DType::kUInt64, {1})), "[18446744073709551615]");
  const std::vector<float> floats = {0.1f, NAN, INFINITY, -INFINITY};
  EXPECT_EQ(Nested(Value(floats, DType::kFloat32, {2, 2})),
            R"([[0.1, "NaN"], ["Infinity", "-Infinity"]])");
  const std::vector<uint8_t> booleans = {2, 0};
  EXPECT_EQ(Nested(Value(booleans, DType::kBool, {2})), "[true, false]");
  trial::TensorValue texts;
  texts.dtype = DType::kString;
  texts.strings = {"a\"b"};
  texts.shape = {1};
  EXPECT_EQ(Nested(texts), R"(["a\"b"])");
  EXPECT_EQ(ElementAsText(texts, 0), "a\"b");
  EXPECT_EQ(Nested(Value(std::vector<float>{}, DType::kFloat32, {1 << 30, 0})), "[]");
}

}  // namespace
}  // namespace warden::view
