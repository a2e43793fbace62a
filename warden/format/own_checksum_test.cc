#include "warden/format/own_checksum.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::format {
namespace {

TEST(OwnChecksumTest, IsTheLastMember) {
  const std::string index = WithOwnChecksum(R"({"meta": {"a": 1}})", "}");
  EXPECT_EQ(index.substr(0, 29), R"({"meta": {"a": 1}, "crc32c": )");
  EXPECT_EQ(CheckOwnChecksum(index), OwnChecksum::kRight);
  const auto outer = ParseJson(index);
  ASSERT_TRUE(outer.ok());
  EXPECT_EQ(outer.value()["crc32c"].get<std::string>().size(), 8u);

  const std::string manifest = WithOwnChecksum(R"({"_meta": {"a": {"b": 1}}})", "}}");
  EXPECT_EQ(CheckOwnChecksum(manifest), OwnChecksum::kRight);
  const auto inner = ParseJson(manifest);
  ASSERT_TRUE(inner.ok());
  EXPECT_EQ(inner.value()["_meta"]["crc32c"].get<std::string>().size(), 8u);
  EXPECT_EQ(inner.value()["_meta"]["a"], (Json{{"b", 1}}));
}

TEST(OwnChecksumTest, FilesOfOthersHaveNone) {
  for (const char* text : {"", "}", "{}", R"({"meta": {"mode_step": 3}, "shape_payload": []})",
                           R"({"collections": {}, "_meta": {"num_workers": 1}})",
                           R"({"_meta": {"roles": {"labels": ["Loss_input_1"]}}})"}) {
    EXPECT_EQ(CheckOwnChecksum(text), OwnChecksum::kNone) << text;
  }
}

TEST(OwnChecksumTest, AnyFlippedBitThatLeavesItJsonIsNoticed) {
  const std::string text = WithOwnChecksum(R"({"meta": {"name": "a/b0", "n": 10}})", "}");
  int still_json = 0;
  for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    if (!ParseJson(flipped).ok()) continue;
    ++still_json;
    EXPECT_EQ(CheckOwnChecksum(flipped), OwnChecksum::kWrong) << flipped;
  }
  EXPECT_GT(still_json, 100);
}

}  // namespace
}  // namespace warden::format
