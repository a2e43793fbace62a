#include "warden/format/npy.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warden::format {
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
  const std::vector<int64_t> shape = {2};
  const NpyFile file = EncodeNpy(DType::kBFloat16, shape, std::as_bytes(std::span(values)));
  float floats[2];
  ASSERT_EQ(file.data.size(), sizeof(floats));
  std::memcpy(floats, file.data.data(), sizeof(floats));
  EXPECT_EQ(floats[0], 1.0f);
  EXPECT_EQ(floats[1], -2.0f);
  EXPECT_NE(file.header.find("'<f4'"), std::string::npos);
}

TEST(NpyTest, TextsHaveAFixedWidth) {
  const std::vector<int64_t> shape = {2};
  const std::vector<std::string> texts = {"aé", "\xFF"};
  const auto file = EncodeNpy(shape, texts);
  ASSERT_TRUE(file.ok());
  EXPECT_NE(file.value().header.find("'<U2'"), std::string::npos);
  char32_t points[4];
  ASSERT_EQ(file.value().data.size(), sizeof(points));
  std::memcpy(points, file.value().data.data(), sizeof(points));
  EXPECT_EQ(std::u32string(points, 4), std::u32string(U"aé\uFFFD\0", 4));
}

TEST(NpyTest, TextsThatWouldTakeTooMuchRoomAreRefused) {
  std::vector<std::string> texts(100'000);
  texts[0] = std::string(1'000'000, 'x');
  const std::vector<int64_t> shape = {std::ssize(texts)};
  EXPECT_EQ(EncodeNpy(shape, texts).status().code(), Code::kInvalid);
}

}  // namespace
}  // namespace warden::format
