#include "warden/report/html_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "warden/base/json.h"

namespace warden::report {
namespace {

TEST(HtmlTextTest, MarkupBecomesText) {
  EXPECT_EQ(Escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(Escaped("größer\n"), "größer\n");
}

TEST(HtmlTextTest, WhatIsNoTextIsReplaced) {
  EXPECT_EQ(Escaped("\x01"), "\uFFFD");
  EXPECT_EQ(Escaped(std::string_view("\0", 1)), "\uFFFD");
  EXPECT_EQ(Escaped("\xff"), "\uFFFD");
  EXPECT_EQ(Escaped("\xc3("), "\uFFFD(");
  EXPECT_EQ(Escaped("\xe2\x82"), "\uFFFD\uFFFD");            // Cut off.
  EXPECT_EQ(Escaped("\xc0\xaf"), "\uFFFD\uFFFD");            // Longer than it has to be.
  EXPECT_EQ(Escaped("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // Half a pair.
  EXPECT_EQ(Escaped("a\u202Eb"), "a\uFFFDb");                // Would turn what follows around.
}

TEST(HtmlTextTest, JsonCannotEndItsScript) {
  const Json json = {{"</script>", "<!--&"}, {"bad", "\xff"}};
  EXPECT_EQ(JsonForScript(json),
            "{\"\\u003c/script\\u003e\":\"\\u003c!--\\u0026\",\"bad\":\"\\ufffd\"}");
}

TEST(HtmlTextTest, JsonHasNoHiddenCharacters) {
  const Json json = {"a\u202Eb\x01", "\\u202e", "\"\n\u00e4"};
  EXPECT_EQ(JsonForScript(json), R"(["a\ufffdb\ufffd","\\u202e","\"\n\u00e4"])");
}

TEST(HtmlTextTest, JsonHasNoNumbersThatAreNone) {
  const Json json = {std::numeric_limits<double>::quiet_NaN(),
                     std::numeric_limits<double>::infinity()};
  EXPECT_EQ(JsonForScript(json), "[null,null]");
}

}  // namespace
}  // namespace warden::report
