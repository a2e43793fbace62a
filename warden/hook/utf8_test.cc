#include "warden/hook/utf8.h"

#include <gtest/gtest.h>

namespace warden::hook {
namespace {

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

}  // namespace
}  // namespace warden::hook
