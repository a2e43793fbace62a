#include "warden/base/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace warden {
namespace {

bool Found(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::Compile(pattern);
  EXPECT_TRUE(compiled.ok()) << compiled.status().message();
  return compiled.ok() && compiled.value().Search(text);
}

TEST(Pattern, SearchesAnywhere) {
  EXPECT_TRUE(Found("relu", "block.relu1_output"));
  EXPECT_FALSE(Found("^relu", "block.relu1_output"));
  EXPECT_TRUE(Found("", ""));
  EXPECT_FALSE(Found("a", ""));
}

TEST(Pattern, LooksAheadAndBehind) {
  EXPECT_TRUE(Found("^(?!gradient).*weight", "conv.weight"));
  EXPECT_FALSE(Found("^(?!gradient).*weight", "gradient/conv.weight"));
  EXPECT_TRUE(Found("-.+(?<!(auc|map))$", "train-rmse"));
  EXPECT_FALSE(Found("-.+(?<!(auc|map))$", "train-auc"));
}

TEST(Pattern, KnowsPythonsNamedGroups) { EXPECT_TRUE(Found("(?P<x>a)(?P=x)", "aa")); }

TEST(Pattern, TakesLettersForLetters) {
  EXPECT_TRUE(Found("^.$", "\u00e9"));
  EXPECT_TRUE(Found("^\\w+$", "gr\u00f6\u00dfe"));
}

TEST(Pattern, TextNeedNotBeUtf8) {
  EXPECT_TRUE(Found("ab", "\xff\xfe ab"));
  EXPECT_FALSE(Found("ac", "\xff\xfe ab"));
  EXPECT_FALSE(Found("a.b",
                     "a\xff"
                     "b"));
}

TEST(Pattern, GivesUpOnARunaway) {
  const std::string pattern = "^(?:(?:a+)+b|a+c)";
  EXPECT_TRUE(Found(pattern, std::string(5, 'a') + "c"));
  EXPECT_FALSE(Found(pattern, std::string(21, 'a') + "c")) << "takes some million steps";
  const std::string text = std::string(5000, 'a') + "b";
  EXPECT_FALSE(Found("(a+)+$", text));
  EXPECT_FALSE(Found("^(a|aa)+$", text));
}

// As in a hook, which tries the patterns of all collections on the names of a large model.
TEST(Pattern, IsDroppedAfterAFewRunaways) {
  const auto compiled = Pattern::Compile("(a+)+$");
  const Pattern copy = compiled.value();
  EXPECT_TRUE(copy.Search("baa"));
  testing::internal::CaptureStderr();
  for (int i = 0; i < 1500; ++i) {
    EXPECT_FALSE(compiled.value().Search(std::string(40, 'a') + ".weight" + std::to_string(i)));
  }
  EXPECT_FALSE(copy.Search("baa"));
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
  EXPECT_NE(told.find("'(a+)+$' skipped for 'aaa"), std::string::npos) << told;
}

TEST(Pattern, OfOurOwnIsNotSwitchedOffByAHostileText) {
  const auto compiled = Pattern::Compile("(a+)+$", Pattern::Runaway::kKeep);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(compiled.value().Search(std::string(40, 'a') + "b"));
  EXPECT_TRUE(compiled.value().Search("aa"));
}

TEST(Pattern, LongNamesAreNoRunaways) {
  const std::string text = "weights/" + std::string(5000, 'x') + "/kernel";
  EXPECT_TRUE(Found("^weights/.*/((?!bias).)*$", text));
  EXPECT_TRUE(Found("^(?:x|y|[a-z/])*$", text));
}

TEST(Pattern, SaysWhatIsWrongAndWhere) {
  const auto bad = Pattern::Compile("ab(c");
  EXPECT_EQ(bad.status().code(), Code::kInvalid);
  EXPECT_EQ(bad.status().message(),
            "invalid pattern 'ab(c': missing closing parenthesis at offset 4");
  for (const char* pattern : {"[", "*", "a{2,1}", "(?P<1>a)", "\\", "(?<=a+)b", "\xff"}) {
    EXPECT_FALSE(Pattern::Compile(pattern).ok()) << pattern;
  }
}

TEST(Pattern, KeepsItsText) { EXPECT_EQ(Pattern::Compile("a.b").value().text(), "a.b"); }

}  // namespace
}  // namespace warden
