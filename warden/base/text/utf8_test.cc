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

}  // namespace
}  // namespace warden
