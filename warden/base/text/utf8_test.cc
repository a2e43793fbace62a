#include "warden/base/text/utf8.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

TEST(TextTest, ValidUtf8ReplacesWhatIsNone) {
  EXPECT_EQ(ValidUtf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"\\\n"),
            "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"\\\n");
  EXPECT_EQ(ValidUtf8("a\xffz"), "a\xef\xbf\xbdz");
}

TEST(TextTest, CutUtf8EndsBetweenCharacters) {
  EXPECT_EQ(CutUtf8("abc", 5), "abc");
  EXPECT_EQ(CutUtf8("abc", 2), "ab");
  EXPECT_EQ(CutUtf8("a\xe2\x82\xac", 3), "a");
  EXPECT_EQ(CutUtf8("\xe2\x82\xac", 2), "");
}

TEST(TextTest, OneLineHasNoControlCharacters) {
  EXPECT_EQ(OneLine(std::string("a\r\nb\tc\0d\x7f", 9)), "a  b c d ");
}

TEST(Utf8, WholeCharactersOfEveryLength) {
  for (const char* text : {"", "a", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
                           "fc1.gewicht \xC3\xA4\xE2\x82\xAC"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, WhatIsBroken) {
  for (const char* text : {
           "\x80",                                                      // No beginning.
           "\xC2", "\xE2\x82", "\xF0\x90",                              // No end.
           "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",  // Longer than needed.
           "\xED\xA0\x80",                                              // Half of a pair.
           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF",              // Beyond the last.
           "a\xC2z",                                                    // Something else follows.
       }) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, TheFirstCharacterAndItsSize) {
  EXPECT_EQ(FirstCharacter("az").code, U'a');
  EXPECT_EQ(FirstCharacter("\xE2\x82\xACz").code, 0x20ACu);
  EXPECT_EQ(FirstCharacter("\xE2\x82\xACz").size, 3u);
  EXPECT_EQ(FirstCharacter("\xF4\x8F\xBF\xBF").code, 0x10FFFFu);
  for (const char* text : {"", "\x80", "\xC2", "\xC2z", "\xC0\x80", "\xED\xA0\x80"}) {
    EXPECT_EQ(FirstCharacter(text).size, 0u) << text;
  }
}

}  // namespace
}  // namespace warden
