#include "warden/storage/store.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "warden/storage/storage_for_test.h"

namespace warden::storage {
namespace {

TEST(IsValidKey, TakesRelativePaths) {
  for (const char* key :
       {"a", "a/b", "events/000/x.tfevents", ".hidden", "a..b", "...", "a.tmp/b"}) {
    EXPECT_TRUE(IsValidKey(key)) << key;
  }
}

TEST(IsValidKey, RefusesWhatCouldNameAnotherPlace) {
  const std::string_view bad[] = {"",
                                  "/",
                                  "/abs",
                                  "a/",
                                  "a//b",
                                  ".",
                                  "..",
                                  "./a",
                                  "../a",
                                  "a/.",
                                  "a/../b",
                                  "a/..",
                                  "a/./b",
                                  "a.tmp",
                                  "b/a.tmp",
                                  ".tmp",
                                  std::string_view("a\0b", 3)};
  for (const std::string_view key : bad) EXPECT_FALSE(IsValidKey(key)) << key;
}

TEST(OpenStore, NamesTheLocalFolder) {
  const auto at = [](const char* url) { return OpenStore(url).value()->Locate("k"); };
  EXPECT_EQ(at("/a/b"), "/a/b/k");
  EXPECT_EQ(at("/a/b//"), "/a/b/k");
  EXPECT_EQ(at("/"), "/k");
  EXPECT_EQ(at("file:///a/b"), "/a/b/k");
  EXPECT_EQ(at("rel"), (std::filesystem::current_path() / "rel/k").native());
  EXPECT_EQ(at("./odd://name"), (std::filesystem::current_path() / "odd:/name/k").native());
  EXPECT_EQ(at("."), (std::filesystem::current_path() / "k").native());
  EXPECT_EQ(at("/a/../b"), "/a/../b/k");
}

TEST(OpenStore, ExpandsHome) {
  const char* home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  setenv("HOME", "/somebody", 1);
  EXPECT_EQ(OpenStore("~/run").value()->Locate("k"), "/somebody/run/k");
  EXPECT_EQ(OpenStore("file://~/run").value()->Locate("k"), "/somebody/run/k");
  unsetenv("HOME");
  EXPECT_EQ(OpenStore("~/run").status().code(), Code::kInvalid);
  if (home != nullptr) setenv("HOME", before.c_str(), 1);
}

TEST(OpenStore, MemIsFreshEachTime) {
  auto one = OpenStore("mem:").value();
  EXPECT_EQ(PutCode(*one, "a"), Code::kOk);
  EXPECT_FALSE(OpenStore("mem:").value()->Exists("a"));
}

TEST(OpenStore, RefusesWhatItDoesNotKnow) {
  const Status s3 = OpenStore("s3://bucket/run").status();
  EXPECT_EQ(s3.code(), Code::kInvalid);
  EXPECT_NE(s3.message().find("S3 cannot be used here"), std::string::npos);
  const Status gs = OpenStore("gs://bucket/run").status();
  EXPECT_EQ(gs.code(), Code::kInvalid);
  EXPECT_NE(gs.message().find("\"gs\""), std::string::npos) << gs.message();
  EXPECT_EQ(OpenStore("").status().code(), Code::kInvalid);
  EXPECT_EQ(OpenStore("file://").status().code(), Code::kInvalid);
  EXPECT_EQ(OpenStore(std::string_view("/a\0b", 4)).status().code(), Code::kInvalid);
}

}  // namespace
}  // namespace warden::storage
