#include "warden/s3/object_path.h"

#include <gtest/gtest.h>

namespace warden::s3 {
namespace {

TEST(ObjectPathTest, ReadsUris) {
  EXPECT_EQ(ParseS3Uri("s3://bucket").value().key, "");
  EXPECT_EQ(ParseS3Uri("s3://bucket/").value().key, "");
  EXPECT_EQ(ParseS3Uri("s3://my.bucket-1/a/b").value().bucket, "my.bucket-1");
  EXPECT_EQ(ParseS3Uri("s3://my.bucket-1/a/b").value().key, "a/b");
  // As clients read it: the key has a slash in front.
  EXPECT_EQ(ParseS3Uri("s3://bucket//a").value().key, "/a");
  for (const char* uri : {"", "bucket/a", "https://bucket/a", "s3:///a", "s3://..", "s3://A_B/a"}) {
    EXPECT_EQ(ParseS3Uri(uri).status().code(), Code::kInvalid) << uri;
  }
}

TEST(ObjectPathTest, KeysAndPathsAreTheSameThing) {
  for (const char* key : {"a", "a/b", "a//b", "/a", "a/", "..", "../../x", ".", ".w-x", "x.tmp",
                          "a/x.tmp/b", "%", "%%", "%a%", "100%", "\xC3\xA9", "a b", "%../%"}) {
    const Result<std::string> path = PathOfObject("/data/s3", {"bucket", key});
    ASSERT_TRUE(path.ok()) << key;
    ASSERT_TRUE(path.value().starts_with("/data/s3/bucket/"));
    const std::string in_bucket = path.value().substr(16);
    EXPECT_EQ(("/" + in_bucket + "/").find("/../"), std::string::npos) << in_bucket;
    EXPECT_EQ(("/" + in_bucket + "/").find("/./"), std::string::npos) << in_bucket;
    EXPECT_EQ(("/" + in_bucket + "/").find("//"), std::string::npos) << in_bucket;
    EXPECT_EQ(KeyOfPath(in_bucket), key);
  }
  EXPECT_EQ(PathOfObject("/data/s3", {"bucket", ""}).value(), "/data/s3/bucket");
  EXPECT_EQ(PathOfObject("/data/s3", {"bucket", "a/b.json"}).value(), "/data/s3/bucket/a/b.json");
}

TEST(ObjectPathTest, FilesOfOthersAreNoObjects) {
  for (const char* path : {".w-x", "a/.w-x/b", "x.tmp", "%", "%a", "a/%b%", "\xFF", ".", ".."}) {
    EXPECT_EQ(KeyOfPath(path), std::nullopt) << path;
  }
}

TEST(ObjectPathTest, RefusesWhatNoFileCanHold) {
  for (const std::string& key : {std::string(1025, 'a'), "a/" + std::string(256, 'b'),
                                 std::string("a\0b", 3), std::string("\xFF")}) {
    EXPECT_EQ(PathOfObject("/data", {"bucket", key}).status().code(), Code::kInvalid);
  }
  EXPECT_EQ(PathOfObject("/data", {"..", "a"}).status().code(), Code::kInvalid);
  EXPECT_TRUE(PathOfObject("/data", {"bucket", std::string(255, 'a')}).ok());
}

}  // namespace
}  // namespace warden::s3
