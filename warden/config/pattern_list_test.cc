#include "warden/config/pattern_list.h"

#include <gtest/gtest.h>

namespace warden::config {
namespace {

using Patterns = std::vector<std::string>;

TEST(SplitPatterns, SplitsAtCommasAndTrims) {
  EXPECT_EQ(SplitPatterns("relu, tanh ,,^fc"), (Patterns{"relu", "tanh", "^fc"}));
  EXPECT_EQ(SplitPatterns(""), Patterns{});
  EXPECT_EQ(SplitPatterns(" , "), Patterns{});
}

TEST(SplitPatterns, LeavesCommasThatBelongToAPattern) {
  EXPECT_EQ(SplitPatterns("a{1,2},b"), (Patterns{"a{1,2}", "b"}));
  EXPECT_EQ(SplitPatterns("a{,2},b{3,}"), (Patterns{"a{,2}", "b{3,}"}));
  EXPECT_EQ(SplitPatterns("[a,b],c"), (Patterns{"[a,b]", "c"}));
  EXPECT_EQ(SplitPatterns("(a,(b,c)),d"), (Patterns{"(a,(b,c))", "d"}));
  EXPECT_EQ(SplitPatterns("a\\,b,c"), (Patterns{"a\\,b", "c"}));
}

TEST(SplitPatterns, KnowsWhatOpensAndCloses) {
  EXPECT_EQ(SplitPatterns("[],(],x"), (Patterns{"[],(]", "x"}));
  EXPECT_EQ(SplitPatterns("[^],],x"), (Patterns{"[^],]", "x"}));
  EXPECT_EQ(SplitPatterns("[\\],],x"), (Patterns{"[\\],]", "x"}));
  EXPECT_EQ(SplitPatterns("\\(,\\[,x"), (Patterns{"\\(", "\\[", "x"}));
  EXPECT_EQ(SplitPatterns("a{b,c}"), (Patterns{"a{b", "c}"}));
  EXPECT_EQ(SplitPatterns("a),b"), (Patterns{"a)", "b"}));
}

TEST(SplitPatterns, EndsWhateverIsLeftOpen) {
  EXPECT_EQ(SplitPatterns("(a,b"), Patterns{"(a,b"});
  EXPECT_EQ(SplitPatterns("[a,b"), Patterns{"[a,b"});
  EXPECT_EQ(SplitPatterns("["), Patterns{"["});
  EXPECT_EQ(SplitPatterns("[^"), Patterns{"[^"});
  EXPECT_EQ(SplitPatterns("{"), Patterns{"{"});
  EXPECT_EQ(SplitPatterns("a{1,"), (Patterns{"a{1"}));
  EXPECT_EQ(SplitPatterns("a,\\"), (Patterns{"a", "\\"}));
}

}  // namespace
}  // namespace warden::config
