#include "warden/view/wire/columns.h"

#include <gtest/gtest.h>

#include <cstring>

#include "warden/base/json.h"

namespace warden::view {
namespace {

struct Read {
  Json header;
  std::string columns;
};

Read Decode(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "WCOL");
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 4, sizeof(length));
  EXPECT_EQ(length % 8, 0u);
  return {Json::parse(bytes.substr(8, length)), bytes.substr(8 + length)};
}

TEST(ColumnsTest, AreAlignedAndInOrder) {
  Columns columns;
  const double doubles[] = {1.5, -2};
  const uint32_t numbers[] = {7, 8, 9};
  const uint8_t bytes[] = {255};
  columns.Add("x", doubles);
  columns.Add("id", numbers);
  columns.Add("b", bytes);
  const Read read = Decode(columns.Encode(Json{{"tensor", "t"}}));
  EXPECT_EQ(read.header.dump(),
            R"({"tensor":"t","columns":[{"name":"x","type":"f64","length":2},)"
            R"({"name":"id","type":"u32","length":3},{"name":"b","type":"u8","length":1}]})");
  ASSERT_EQ(read.columns.size(), 16u + 16u + 8u);
  double x = 0;
  std::memcpy(&x, read.columns.data() + 8, sizeof(x));
  EXPECT_EQ(x, -2);
  uint32_t id = 0;
  std::memcpy(&id, read.columns.data() + 16 + 8, sizeof(id));
  EXPECT_EQ(id, 9u);
  EXPECT_EQ(static_cast<uint8_t>(read.columns[32]), 255);
}

TEST(ColumnsTest, NamesOfAnyBytesBecomeText) {
  const Read read = Decode(Columns().Encode(Json{{"tensor", "\xff"}}));
  EXPECT_EQ(read.header["tensor"], "\xef\xbf\xbd");
  EXPECT_TRUE(read.columns.empty());
}

}  // namespace
}  // namespace warden::view
