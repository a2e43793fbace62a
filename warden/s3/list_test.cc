#include "warden/s3/list.h"

#include "warden/s3/s3_for_test.h"

namespace warden::s3 {
namespace {

class ListTest : public S3Test {
 protected:
  ListTest() { Send("PUT", "/bucket"); }

  void Put(std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      EXPECT_EQ(Send("PUT", std::string("/bucket/") + key, "x").status, 200) << key;
    }
  }

  // All pages of a listing, with '|' between them.
  std::string Pages(const std::string& query) {
    std::string pages;
    std::string token;
    for (int i = 0; i < 200; ++i) {
      const std::string whole = query + (token.empty() ? "" : "&continuation-token=" + token);
      const std::string keys = Keys(whole);
      const std::string prefixes = Keys(whole, "CommonPrefixes><Prefix");
      pages +=
          (i == 0 ? "" : " | ") + keys + (keys.empty() || prefixes.empty() ? "" : " ") + prefixes;
      token = Keys(whole, "NextContinuationToken");
      if (token.empty()) return pages;
    }
    return pages + " ...";
  }
};

TEST_F(ListTest, GoesByTheBytesOfWholeKeys) {
  Put({"a0", "a/b", "a-b", "a/c/d", "a/c-", "%C3%A9", "Z", "b"});
  const char* sorted = "Z a-b a/b a/c- a/c/d a0 b \xC3\xA9";
  EXPECT_EQ(Keys("list-type=2"), sorted);
  EXPECT_EQ(Keys(""), sorted);
  EXPECT_EQ(Keys("list-type=2&encoding-type=url"), "Z a-b a/b a/c- a/c/d a0 b %C3%A9");
  EXPECT_EQ(Pages("list-type=2&max-keys=3"), "Z a-b a/b | a/c- a/c/d a0 | b \xC3\xA9");
  EXPECT_EQ(Pages("list-type=2&max-keys=1"), "Z | a-b | a/b | a/c- | a/c/d | a0 | b | \xC3\xA9");
}

TEST_F(ListTest, KeepsToPrefixDelimiterAndStart) {
  Put({"x/1", "x/2/a", "x/2/b", "x/3", "x2", "y/1"});
  EXPECT_EQ(Keys("list-type=2&prefix=x/"), "x/1 x/2/a x/2/b x/3");
  EXPECT_EQ(Keys("list-type=2&prefix=x/2"), "x/2/a x/2/b");
  EXPECT_EQ(Keys("list-type=2&prefix=x"), "x/1 x/2/a x/2/b x/3 x2");
  EXPECT_EQ(Keys("list-type=2&prefix=none/a"), "");
  EXPECT_EQ(Pages("list-type=2&prefix=x/&delimiter=/"), "x/1 x/3 x/2/");
  EXPECT_EQ(Pages("list-type=2&delimiter=/"), "x2 x/ y/");
  EXPECT_EQ(Pages("list-type=2&delimiter=/&max-keys=1"), "x/ | x2 | y/");
  EXPECT_EQ(Pages("list-type=2&delimiter=2"), "x/1 x/3 y/1 x/2 x2");
  EXPECT_EQ(Pages("list-type=2&delimiter=2&max-keys=2"), "x/1 x/2 | x/3 x2 | y/1");
  EXPECT_EQ(Keys("list-type=2&start-after=x/2/a"), "x/2/b x/3 x2 y/1");
  EXPECT_EQ(Keys("list-type=2&start-after=x/zzz"), "x2 y/1");
  EXPECT_EQ(Keys("list-type=2&start-after=x/2/a&prefix=x/2"), "x/2/b");
  EXPECT_EQ(Pages("list-type=2&start-after=x/2/a&delimiter=/"), "x2 x/ y/");
}

TEST_F(ListTest, TheOlderOneGoesOnBehindItsMarker) {
  Put({"a/1", "a/2", "b", "c/1"});
  EXPECT_EQ(Keys("marker=a/1"), "a/2 b c/1");
  EXPECT_EQ(Keys("delimiter=/&max-keys=1", "NextMarker"), "a/");
  EXPECT_EQ(Keys("delimiter=/&max-keys=1&marker=a/"), "b");
  EXPECT_EQ(Keys("delimiter=/&marker=b", "CommonPrefixes><Prefix"), "c/");
  EXPECT_EQ(Keys("max-keys=0"), "");
  EXPECT_TRUE(Send("GET", "/bucket?max-keys=0").Has("<IsTruncated>false"));
}

TEST_F(ListTest, FoldersWithoutObjectsAreNotThere) {
  Put({"full/1"});
  std::filesystem::create_directories(folder_.path() / "s3/bucket/empty/below");
  Write("s3/bucket/only/unfinished.tmp", "x");
  Write("s3/bucket/.w-ours", "x");
  Write("s3/bucket/bad\xFFname", "x");
  EXPECT_EQ(Pages("list-type=2&delimiter=/"), "full/");
  EXPECT_EQ(Keys("list-type=2"), "full/1");
}

TEST_F(ListTest, OddKeysComeBackAsTheyAre) {
  Put({"a//b", "folder/", "%2Flead", "./x", "..", "%25", "%25%25", ".w-mine", "x.tmp", "100%25"});
  EXPECT_EQ(Keys("list-type=2"), "% %% .. ./x .w-mine /lead 100% a//b folder/ x.tmp");
  EXPECT_EQ(Keys("list-type=2&prefix=/"), "/lead");
  EXPECT_EQ(Keys("list-type=2&prefix=a//"), "a//b");
  EXPECT_EQ(Pages("list-type=2&prefix=a/&delimiter=/"), "a//");
  EXPECT_EQ(Keys("list-type=2&prefix=../x"), "");
}

TEST_F(ListTest, RefusesWhatItDoesNotUnderstand) {
  for (const char* query : {"max-keys=-1", "max-keys=x", "list-type=3", "encoding-type=xml",
                            "list-type=2&continuation-token=", "list-type=2&continuation-token=kzz",
                            "list-type=2&continuation-token=rubbish"}) {
    EXPECT_TRUE(Send("GET", std::string("/bucket?") + query).Has("<Code>InvalidArgument</Code>"))
        << query;
  }
  EXPECT_TRUE(Send("GET", "/nobucket?list-type=2").Has("<Code>NoSuchBucket</Code>"));
}

// Against the plain definition, on keys that are made up.
TEST_F(ListTest, AgreesWithTheDefinition) {
  uint32_t seed = 1;
  const auto random = [&](uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % below;
  };
  std::set<std::string> keys;
  for (int i = 0; i < 120; ++i) {
    std::string key(1, "ab-0"[random(4)]);
    for (uint32_t j = random(6); j > 0; --j) key += "ab-0/"[random(5)];
    if (Send("PUT", "/bucket/" + key, "x").status == 200) keys.insert(key);
  }
  EXPECT_GT(keys.size(), 40u);
  for (int i = 0; i < 40; ++i) {
    std::string prefix, after;
    for (uint32_t j = random(3); j > 0; --j) prefix += "ab-0/"[random(5)];
    for (uint32_t j = random(4); j > 0; --j) after += "ab-0/"[random(5)];
    std::string expected;
    std::string last;
    for (const std::string& key : keys) {
      if (!key.starts_with(prefix) || key <= after) continue;
      const size_t slash = key.find('/', prefix.size());
      const std::string told = key.substr(0, slash == std::string::npos ? slash : slash + 1);
      if (told == last) continue;
      last = told;
      expected += (expected.empty() ? "" : " | ") + told;
    }
    EXPECT_EQ(
        Pages("list-type=2&delimiter=/&max-keys=1&prefix=" + prefix + "&start-after=" + after),
        expected)
        << prefix << " after " << after;
  }
}

}  // namespace
}  // namespace warden::s3
