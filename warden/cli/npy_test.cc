#include "warden/cli/npy.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warden::cli {
namespace {

TEST(NpyTest, HeaderIsPaddedAndNamesTheType) {
  const std::vector<int64_t> shape = {2, 3};
  const std::string header = NpyHeader("<f4", shape);
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(static_cast<uint8_t>(header[8]) + 256u * static_cast<uint8_t>(header[9]),
            header.size() - 10);
  EXPECT_EQ(header.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
  EXPECT_EQ(header.back(), '\n');
}

TEST(NpyTest, ShapesOfScalarsAndVectorsAreTuples) {
  const std::vector<int64_t> one = {5};
  EXPECT_NE(NpyHeader("|b1", {}).find("'shape': (), "), std::string::npos);
  EXPECT_NE(NpyHeader("|b1", one).find("'shape': (5,), "), std::string::npos);
  EXPECT_EQ(NpyHeader("<f8", std::vector<int64_t>(254, 1'000'000)).size() % 64, 0u);
}

TEST(NpyTest, BFloat16BecomesFloat32) {
  const uint16_t values[] = {0x3F80, 0xC000};  // 1, -2.
  trial::TensorValue value;
  value.dtype = DType::kBFloat16;
  value.shape = {2};
  value.data = std::as_bytes(std::span(values));
  const auto file = EncodeNpy(value);
  ASSERT_TRUE(file.ok());
  float floats[2];
  ASSERT_EQ(file.value().data.size(), sizeof(floats));
  std::memcpy(floats, file.value().data.data(), sizeof(floats));
  EXPECT_EQ(floats[0], 1.0f);
  EXPECT_EQ(floats[1], -2.0f);
  EXPECT_NE(file.value().header.find("'<f4'"), std::string::npos);
}

TEST(NpyTest, TextsHaveAFixedWidth) {
  trial::TensorValue value;
  value.dtype = DType::kString;
  value.shape = {2};
  value.strings = {"aé", "\xFF"};
  const auto file = EncodeNpy(value);
  ASSERT_TRUE(file.ok());
  EXPECT_NE(file.value().header.find("'<U2'"), std::string::npos);
  char32_t points[4];
  ASSERT_EQ(file.value().data.size(), sizeof(points));
  std::memcpy(points, file.value().data.data(), sizeof(points));
  EXPECT_EQ(std::u32string(points, 4), std::u32string(U"aé\uFFFD\0", 4));
}

TEST(NpyTest, TextsThatWouldTakeTooMuchRoomAreRefused) {
  trial::TensorValue value;
  value.dtype = DType::kString;
  value.strings.assign(100'000, "");
  value.strings[0] = std::string(1'000'000, 'x');
  value.shape = {std::ssize(value.strings)};
  EXPECT_EQ(EncodeNpy(value).status().code(), Code::kInvalid);
}

TEST(SafeFileNameTest, LeadsNowhereElse) {
  EXPECT_EQ(SafeFileName("fc.weight_0"), "fc.weight_0");
  EXPECT_EQ(SafeFileName("gradient/fc:0"), "gradient%2Ffc%3A0");
  EXPECT_EQ(SafeFileName("../../etc"), "%2E.%2F..%2Fetc");
  EXPECT_EQ(SafeFileName("a@b%"), "a%40b%25");
  EXPECT_EQ(SafeFileName(std::string("\0\n", 2)), "%00%0A");
}

TEST(SafeFileNameTest, LongNamesStayDifferent) {
  const std::string a = SafeFileName(std::string(5000, 'x') + "a");
  const std::string b = SafeFileName(std::string(5000, 'x') + "b");
  EXPECT_LT(a.size(), 200u);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace warden::cli
