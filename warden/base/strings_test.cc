#include "warden/base/strings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <unordered_map>

namespace warden {
namespace {

TEST(Trim, TakesBlanksFromBothEnds) {
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trim(" \v\f "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(SplitTrimmed, LeavesOutEmptyParts) {
  EXPECT_EQ(SplitTrimmed(" a, b ,,c,", ','), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(SplitTrimmed("one", ','), std::vector<std::string>{"one"});
  EXPECT_TRUE(SplitTrimmed("", ',').empty());
  EXPECT_TRUE(SplitTrimmed(" , ", ',').empty());
}

TEST(ParseInt, TakesTheWholeText) {
  EXPECT_EQ(ParseInt("42"), 42);
  EXPECT_EQ(ParseInt("+42"), 42);
  EXPECT_EQ(ParseInt("-7"), -7);
  EXPECT_EQ(ParseInt("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ParseInt("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  for (const char* text : {"", "+", "-", "+-5", "++5", "5 ", " 5", "5.0", "0x5", "1e3", "abc",
                           "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_EQ(ParseInt(text), std::nullopt) << text;
  }
}

TEST(ParseDouble, TakesTheWholeText) {
  EXPECT_EQ(ParseDouble("1.5"), 1.5);
  EXPECT_EQ(ParseDouble("+1e-3"), 1e-3);
  EXPECT_EQ(ParseDouble("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(ParseDouble("nan").value()));
  for (const char* text : {"", "+-1", "1.5x", "one", " 1", "1e999"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
}

TEST(LowerAscii, LeavesOtherLettersAlone) {
  EXPECT_EQ(LowerAscii("AbZ_9\xC3\x89"), "abz_9\xC3\x89");
}

TEST(EditDistance, CountsChangedLetters) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("same", "same"), 0u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("save_intervall", "save_interval"), 1u);
}

TEST(StringHash, FindsByView) {
  std::unordered_map<std::string, int, StringHash, std::equal_to<>> map = {{"a", 1}};
  EXPECT_EQ(map.find(std::string_view("a"))->second, 1);
}

TEST(NearestNamesTest, ProposesWhatIsNear) {
  const std::vector<std::string> names = {"fc.bias", "fc.weight", "gradient/fc.weight"};
  EXPECT_EQ(NearestNames("fc.wieght", names, 3), std::vector<std::string>{"fc.weight"});
  EXPECT_EQ(NearestNames("fc.weight", names, 1), std::vector<std::string>{"fc.weight"});
  EXPECT_TRUE(NearestNames("something else", names, 3).empty());
  EXPECT_TRUE(NearestNames(std::string(100'000, 'x'), names, 3).empty());
}

}  // namespace
}  // namespace warden
