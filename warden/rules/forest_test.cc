#include "warden/rules/forest.h"

#include <gtest/gtest.h>

namespace warden::rules {
namespace {

using Column = std::vector<std::string>;

TEST(Forest, TheDeepestOfSeveralTrees) {
  // Parents may come after their children.
  const Column ids = {"0-0", "1-2", "1-1", "1-0"};
  const Column yes = {"nan", "nan", "nan", "1-1"};
  const Column no = {"nan", "nan", "nan", "1-2"};
  const auto deepest = DepthByLinks(ids, yes, no);
  ASSERT_TRUE(deepest);
  EXPECT_EQ(deepest->depth, 1);
  EXPECT_EQ(deepest->tree, "1");
  EXPECT_FALSE(deepest->at_least);
}

TEST(Forest, TablesThatAreNone) {
  EXPECT_FALSE(DepthByLinks({}, {}, {}));
  EXPECT_FALSE(DepthByLinks({"0-0"}, {}, {"nan"}));
  EXPECT_FALSE(DepthByLinks({"0-0"}, {"0-0"}, {"nan"}));  // Itself.
  EXPECT_FALSE(DepthByLinks({"0-0", "0-1", "0-2"}, {"x", "0-2", "0-1"}, {"x", "x", "x"}));
  EXPECT_FALSE(DepthByLinks({"0-0", "0-1"}, {"0-1", "x"}, {"0-1", "x"}));  // Twice the same.
  EXPECT_FALSE(DepthByNumbers({}));
  EXPECT_FALSE(DepthByNumbers({"nan", "0--1x"}));
}

TEST(Forest, ALongChainDoesNotExhaustTheStack) {
  const int depth = 200'000;
  Column ids, yes, no(depth + 1, "nan");
  for (int i = 0; i <= depth; ++i) {
    ids.push_back("0-" + std::to_string(i));
    yes.push_back(i < depth ? "0-" + std::to_string(i + 1) : "nan");
  }
  EXPECT_EQ(DepthByLinks(ids, yes, no)->depth, depth);
}

TEST(Forest, LowerBoundsByNumbers) {
  const std::pair<const char*, int64_t> cases[] = {{"3-0", 0}, {"3-1", 1}, {"3-2", 1},
                                                   {"3-3", 2}, {"3-6", 2}, {"3-7", 3}};
  for (const auto& [id, depth] : cases) {
    EXPECT_EQ(DepthByNumbers({id})->depth, depth) << id;
    EXPECT_TRUE(DepthByNumbers({id})->at_least);
  }
}

}  // namespace
}  // namespace warden::rules
