#include "warden/base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warden {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  const auto json = ParseJson(R"({"b": 1, "a": [true, null]})");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(DumpLikePython(json.value()), R"({"b": 1, "a": [true, null]})");
}

TEST(ParseJson, SaysWhereItStopsBeingJson) {
  const auto error = [](std::string_view text) {
    const auto json = ParseJson(text);
    EXPECT_EQ(json.status().code(), Code::kCorrupt) << text;
    return json.status().message();
  };
  EXPECT_TRUE(error(R"({"a": tru})").starts_with("invalid JSON at byte 10: parse error at line 1"))
      << error(R"({"a": tru})");
  EXPECT_TRUE(error("").starts_with("invalid JSON at byte 1:")) << error("");
  EXPECT_TRUE(error("{} x").starts_with("invalid JSON at byte 4:")) << error("{} x");
  EXPECT_NE(error("[1e999]").find("number overflow"), std::string::npos) << error("[1e999]");
  EXPECT_EQ(error("[1e999]").find("json.exception"), std::string::npos);
  error("\"\xff\"");
  error("\"\\ud800\"");
  error("[1,]");
  error("NaN");
}

TEST(ParseJson, LimitsTheKeysOfAnObject) {
  std::string many = "{\"k\": 0";
  for (int i = 0; i < 20'000; ++i) many += ", \"" + std::to_string(i) + "\": 0";
  const auto refused = ParseJson(many + "}");
  EXPECT_EQ(refused.status().code(), Code::kCorrupt);
  EXPECT_NE(refused.status().message().find("10000 keys"), std::string::npos);
}

TEST(ParseJson, LimitsTheNesting) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(64)).ok());
  EXPECT_EQ(ParseJson(nested(65)).status().message(), "JSON nested deeper than 64 levels");
  EXPECT_EQ(ParseJson(std::string(1'000'000, '[')).status().code(), Code::kCorrupt);
  EXPECT_TRUE(ParseJson("\"" + std::string(100, '[') + "\\\"[\"").ok());
}

// The expectations below are what Python's json.dumps gives.
TEST(DumpLikePython, Structures) {
  EXPECT_EQ(DumpLikePython(Json::object()), "{}");
  EXPECT_EQ(DumpLikePython(Json::array()), "[]");
  EXPECT_EQ(DumpLikePython(ParseJson(R"({"b":[1,-2,true,null,{}],"a":[]})").value()),
            R"({"b": [1, -2, true, null, {}], "a": []})");
}

TEST(DumpLikePython, Integers) {
  EXPECT_EQ(DumpLikePython(Json(std::numeric_limits<uint64_t>::max())), "18446744073709551615");
  EXPECT_EQ(DumpLikePython(Json(std::numeric_limits<int64_t>::min())), "-9223372036854775808");
}

TEST(DumpLikePython, Numbers) {
  const auto dump = [](double value) { return DumpLikePython(Json(value)); };
  EXPECT_EQ(dump(1.0), "1.0");
  EXPECT_EQ(dump(-0.0), "-0.0");
  EXPECT_EQ(dump(100.0), "100.0");
  EXPECT_EQ(dump(0.1), "0.1");
  EXPECT_EQ(dump(2.0 / 3.0), "0.6666666666666666");
  EXPECT_EQ(dump(1e15), "1000000000000000.0");
  EXPECT_EQ(dump(9007199254740993.0), "9007199254740992.0");
  EXPECT_EQ(dump(1e16), "1e+16");
  EXPECT_EQ(dump(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(dump(1e23), "1e+23");
  EXPECT_EQ(dump(0.0001), "0.0001");
  EXPECT_EQ(dump(0.00012345), "0.00012345");
  EXPECT_EQ(dump(1e-5), "1e-05");
  EXPECT_EQ(dump(5e-324), "5e-324");
  EXPECT_EQ(dump(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(dump(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(dump(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(dump(-std::numeric_limits<double>::infinity()), "-Infinity");
}

TEST(DumpLikePython, Strings) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(Quoted("\b\f\n\r\t\v"), R"("\b\f\n\r\t\u000b")");
  EXPECT_EQ(Quoted(std::string_view("\0\x1f\x7f\xc2\x80", 5)), R"("\u0000\u001f\u007f\u0080")");
  EXPECT_EQ(Quoted("\u00e9\u20ac\U0001F600"), R"("\u00e9\u20ac\ud83d\ude00")");
  EXPECT_EQ(Quoted("\ud7ff\ue000\uffff\U0010FFFF"), R"("\ud7ff\ue000\uffff\udbff\udfff")");
  EXPECT_EQ(DumpLikePython(Json{{"\u00e9", "\u00e9"}}), R"({"\u00e9": "\u00e9"})");
}

// Byte by byte.
TEST(DumpLikePython, BrokenUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(Quoted("a\xff"), R"("a\ufffd")");
  EXPECT_EQ(Quoted("\x80z"), R"("\ufffdz")");
  EXPECT_EQ(Quoted("\xe2\x82"), R"("\ufffd\ufffd")");                      // Ends too early.
  EXPECT_EQ(Quoted("\xc3(z"), R"("\ufffd(z")");                            // No continuation.
  EXPECT_EQ(Quoted("\xc0\x80"), R"("\ufffd\ufffd")");                      // Longer than needed.
  EXPECT_EQ(Quoted("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");            // Half of a pair.
  EXPECT_EQ(Quoted("\xf4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");  // Beyond Unicode.
}

TEST(JsonNumberTest, IsValidJsonForEveryNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(DumpLikePython(JsonNumber(0.5)), "0.5");
  EXPECT_EQ(DumpLikePython(JsonNumber(std::nan(""))), "\"NaN\"");
  EXPECT_EQ(DumpLikePython(JsonNumber(infinity)), "\"Infinity\"");
  EXPECT_EQ(DumpLikePython(JsonNumber(-infinity)), "\"-Infinity\"");
}

}  // namespace
}  // namespace warden
