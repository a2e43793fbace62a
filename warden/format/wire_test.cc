#include "warden/format/wire.h"

#include <gtest/gtest.h>

#include <limits>

namespace warden::format {
namespace {

// The status after walking over all fields.
Status Walk(std::string_view message) {
  WireReader reader(AsBytes(message));
  while (reader.Next()) {
  }
  return reader.status();
}

TEST(Wire, VarintsRoundTrip) {
  for (int shift = 0; shift < 64; ++shift) {
    for (const uint64_t add : {uint64_t{0}, std::numeric_limits<uint64_t>::max()}) {
      const uint64_t value = (uint64_t{1} << shift) + add;
      std::string text;
      AppendVarint(value, &text);
      EXPECT_EQ(text.size(), VarintSize(value));
      Bytes bytes = AsBytes(text);
      uint64_t back;
      ASSERT_TRUE(TakeVarint(&bytes, &back));
      EXPECT_EQ(back, value);
      EXPECT_TRUE(bytes.empty());
    }
  }
}

TEST(Wire, VarintsThatNeverEndOrOverflow) {
  for (const std::string& text : {std::string(), std::string("\x80"), std::string(10, '\x80'),
                                  std::string(11, '\xFF'), std::string(9, '\xFF') + '\x02'}) {
    Bytes bytes = AsBytes(text);
    uint64_t value;
    EXPECT_FALSE(TakeVarint(&bytes, &value));
    EXPECT_EQ(bytes.size(), text.size());
  }
}

TEST(Wire, FieldsRoundTrip) {
  std::string text;
  AppendVarintField(1, 300, &text);
  AppendDoubleField(2, -1.5, &text);
  AppendFloatField(3, 0, &text);
  AppendBytesField(4, "", &text);
  AppendTextField(5, "abc", &text);
  EXPECT_EQ(text.size(), 3u + 9 + 5 + 2 + BytesFieldSize(3));

  WireReader reader(AsBytes(text));
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(1, WireType::kVarint));
  EXPECT_EQ(reader.number(), 300u);
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(2, WireType::kFixed64));
  EXPECT_EQ(reader.AsDouble(), -1.5);
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(3, WireType::kFixed32));
  EXPECT_EQ(reader.AsFloat(), 0);
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(4, WireType::kBytes));
  EXPECT_TRUE(reader.bytes().empty());
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.field(), 5u);
  EXPECT_EQ(reader.text(), "abc");
  EXPECT_EQ(reader.message().offset(), text.size() - 3);
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(reader.status().ok());
}

TEST(Wire, DefaultsAreLeftOut) {
  std::string text;
  AppendVarintField(1, 0, &text);
  AppendDoubleField(2, 0, &text);
  AppendTextField(3, "", &text);
  EXPECT_EQ(text, "");
  AppendDoubleField(2, -0.0, &text);
  EXPECT_EQ(text.size(), 9u);
}

TEST(Wire, BrokenMessagesAreTold) {
  using std::string_literals::operator""s;
  for (const std::string& text : {
           "\x80"s,                  // Tag without an end.
           "\x00"s,                  // Field 0.
           "\x80\x80\x80\x80\x10"s,  // Field 2^29.
           "\x08"s,                  // No varint.
           "\x09\x00"s,              // Fixed64 of one byte.
           "\x0D\x00"s,              // Fixed32 of one byte.
           "\x0A\x02x"s,             // Length beyond the end.
           "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s,
           "\x0C"s,          // End of no group.
           "\x0B\x14"s,      // Group 1 ends as group 2.
           "\x0B\x08\x01"s,  // Group without an end.
           "\x0E"s, "\x0F"s  // Wire types 6 and 7.
       }) {
    EXPECT_EQ(Walk(text).code(), Code::kCorrupt) << ::testing::PrintToString(text);
  }
}

TEST(Wire, ErrorsTellThePlaceInTheOutermostMessage) {
  const std::string text("\x0A\x03\x08\x01\x08", 5);
  WireReader outer(AsBytes(text));
  ASSERT_TRUE(outer.Next());
  WireReader inner = outer.message();
  ASSERT_TRUE(inner.Next());
  EXPECT_FALSE(inner.Next());
  EXPECT_NE(inner.status().message().find("byte 5"), std::string::npos) << inner.status().message();
}

TEST(Wire, GroupsArePassedOver) {
  // Group 1 with a varint, a group 2 inside, and a number after it.
  const std::string text("\x0B\x08\x01\x13\x0A\x01x\x14\x0C\x10\x05", 11);
  WireReader reader(AsBytes(text));
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(1, WireType::kGroup));
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(2, WireType::kVarint));
  EXPECT_EQ(reader.number(), 5u);
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(reader.status().ok());
}

TEST(Wire, NestingOfGroupsIsLimited) {
  EXPECT_TRUE(Walk(std::string(100, '\x0B') + std::string(100, '\x0C')).ok());
  EXPECT_FALSE(Walk(std::string(101, '\x0B') + std::string(101, '\x0C')).ok());
  EXPECT_FALSE(Walk(std::string(1000000, '\x0B')).ok());
}

}  // namespace
}  // namespace warden::format
