#include "warden/s3/s3.h"

#include "warden/net/digest.h"
#include "warden/os/whole_file.h"
#include "warden/s3/s3_for_test.h"

namespace warden::s3 {
namespace {

TEST_F(S3Test, MakesAndRemovesBuckets) {
  EXPECT_EQ(Send("HEAD", "/bucket").status, 404);
  EXPECT_EQ(Send("PUT", "/bucket", "<CreateBucketConfiguration/>").status, 200);
  EXPECT_EQ(Send("HEAD", "/bucket").status, 200);
  EXPECT_EQ(Send("PUT", "/bucket").status, 200) << "again, in the oldest region";
  keys_.region = "eu-west-1";
  EXPECT_TRUE(Send("PUT", "/bucket").Has("<Code>BucketAlreadyOwnedByYou</Code>"));
  EXPECT_TRUE(Send("GET", "/bucket?location").Has(">eu-west-1</LocationConstraint>"));
  EXPECT_TRUE(Send("GET", "/").Has("<Name>bucket</Name>"));
  Send("PUT", "/bucket/a/b", "x");
  EXPECT_TRUE(Send("DELETE", "/bucket").Has("<Code>BucketNotEmpty</Code>"));
  Send("DELETE", "/bucket/a/b");
  EXPECT_EQ(Send("DELETE", "/bucket").status, 204) << "folders that objects left are no objects";
  EXPECT_TRUE(Send("DELETE", "/bucket").Has("<Code>NoSuchBucket</Code>"));
  for (const char* name : {"/ab", "/Bucket", "/a..b", "/-abc", "/192.168.0.1", "/a_b"}) {
    EXPECT_TRUE(Send("PUT", name).Has("<Code>InvalidBucketName</Code>")) << name;
  }
}

TEST_F(S3Test, GivesBackWhatItWasGiven) {
  Send("PUT", "/bucket");
  const Answer put = Send("PUT", "/bucket/dir/a%20b+%C3%A9", "hello world",
                          {{"Content-Type", "text/plain"}, {"x-amz-meta-who", "me"}});
  EXPECT_EQ(put.status, 200);
  EXPECT_EQ(put.Header("ETag"), "\"5eb63bbbe01eeed093cb22bb8f5acdc3\"");
  EXPECT_EQ(put.Header("x-amz-request-id"), "request-1");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "s3/bucket/dir/a b+\xC3\xA9"));
  const Answer got = Send("GET", "/bucket/dir/a%20b+%C3%A9");
  EXPECT_EQ(got.body, "hello world");
  EXPECT_EQ(got.Header("content-type"), "text/plain");
  EXPECT_EQ(got.Header("x-amz-meta-who"), "me");
  EXPECT_EQ(got.Header("ETag"), put.Header("ETag"));
  const Answer head = Send("HEAD", "/bucket/dir/a%20b+%C3%A9");
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(told_, 11u);
  EXPECT_EQ(Send("PUT", "/bucket/empty").status, 200);
  EXPECT_EQ(Send("GET", "/bucket/empty").body, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "uploads"));
}

TEST_F(S3Test, AnswersRangesAndConditions) {
  Send("PUT", "/bucket");
  const std::string etag = Send("PUT", "/bucket/a", "0123456789").Header("ETag");
  const auto range = [&](const char* value) {
    return Send("GET", "/bucket/a", "", {{"Range", value}});
  };
  EXPECT_EQ(range("bytes=2-4").body, "234");
  EXPECT_EQ(range("bytes=2-4").status, 206);
  EXPECT_EQ(range("bytes=2-4").Header("Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(range("bytes=7-99").body, "789");
  EXPECT_EQ(range("bytes=-3").body, "789");
  EXPECT_EQ(range("bytes=10-").status, 416);
  EXPECT_EQ(range("bytes=4-2").status, 200);
  EXPECT_EQ(range("lines=1").status, 200);
  const auto given = [&](const char* name, const std::string& value) {
    return Send("GET", "/bucket/a", "", {{name, value}}).status;
  };
  EXPECT_EQ(given("If-None-Match", etag), 304);
  EXPECT_EQ(given("If-None-Match", "\"other\""), 200);
  EXPECT_EQ(given("If-Match", etag), 200);
  EXPECT_EQ(given("If-Match", "\"other\""), 412);
  EXPECT_EQ(given("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"), 304);
  EXPECT_EQ(given("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"), 200);
  EXPECT_EQ(given("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"), 412);
  EXPECT_EQ(given("If-Modified-Since", "nonsense"), 200);
}

TEST_F(S3Test, ChecksWhatTheClientSaysOfTheBody) {
  Send("PUT", "/bucket");
  const auto put = [&](const char* name, const std::string& value) {
    return Send("PUT", "/bucket/a", "hello world", {{name, value}});
  };
  const std::string sha = net::Hex(net::Sha256("hello world"));
  EXPECT_EQ(put("x-amz-content-sha256", sha).status, 200);
  EXPECT_EQ(keys_.last_hash, sha);
  EXPECT_EQ(put("x-amz-content-sha256", "UNSIGNED-PAYLOAD").status, 200);
  EXPECT_EQ(put("Content-MD5", "XrY7u+Ae7tCTyyK7j1rNww==").status, 200);
  EXPECT_EQ(put("x-amz-checksum-crc32", "DUoRhQ==").status, 200);
  EXPECT_EQ(put("x-amz-checksum-crc32c", "yZRlqg==").status, 200);
  EXPECT_EQ(put("x-amz-checksum-sha256", net::Base64(net::Sha256("hello world"))).status, 200);
  Send("DELETE", "/bucket/a");
  EXPECT_TRUE(put("x-amz-content-sha256", net::Hex(net::Sha256("other")))
                  .Has("<Code>XAmzContentSHA256Mismatch</Code>"));
  EXPECT_TRUE(put("Content-MD5", "AAAA").Has("<Code>BadDigest</Code>"));
  EXPECT_TRUE(put("x-amz-checksum-crc32", "AAAAAA==").Has("<Code>BadDigest</Code>"));
  EXPECT_TRUE(put("x-amz-checksum-sha256", "").Has("<Code>BadDigest</Code>"));
  EXPECT_TRUE(put("x-amz-content-sha256", "rubbish").Has("<Code>InvalidArgument</Code>"));
  EXPECT_EQ(put("x-amz-content-sha256", "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD").status, 501);
  EXPECT_EQ(Send("GET", "/bucket/a").status, 404) << "nothing of a refused body is kept";
  EXPECT_EQ(Send("PUT", "/bucket/a", "", {{"Content-Length", "5368709121"}}).status, 400);
  EXPECT_EQ(Send("PUT", "/bucket/a", "", {{"Content-Length", "5"}}).status, 400);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "uploads"));
}

TEST_F(S3Test, TakesChunkedBodiesWithTrailers) {
  Send("PUT", "/bucket");
  const http::Headers chunked = {{"x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"},
                                 {"x-amz-decoded-content-length", "11"},
                                 {"Content-Encoding", "aws-chunked"},
                                 {"x-amz-trailer", "x-amz-checksum-crc32"}};
  const std::string body =
      "6\r\nhello \r\n5\r\nworld\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n";
  for (const size_t piece : {1, 2, 3, 100}) {
    EXPECT_EQ(Send("PUT", "/bucket/a", body, chunked, piece).status, 200) << piece;
    EXPECT_EQ(Send("GET", "/bucket/a").body, "hello world");
  }
  EXPECT_EQ(Send("GET", "/bucket/a").Header("content-encoding"), "");
  const Answer got = Send("GET", "/bucket/a", "", {{"x-amz-checksum-mode", "ENABLED"}});
  EXPECT_EQ(got.Header("x-amz-checksum-crc32"), "DUoRhQ==");
  const auto sent = [&](const std::string& text) {
    return Send("PUT", "/bucket/b", text, chunked).body;
  };
  EXPECT_NE(sent("b\r\nhello world\r\n0\r\n\r\n").find("BadDigest"), std::string::npos);
  EXPECT_NE(sent("b\r\nhello world\r\n").find("IncompleteBody"), std::string::npos);
  EXPECT_NE(sent("zz\r\n").find("InvalidArgument"), std::string::npos);
  EXPECT_NE(sent("b\r\nhello world!\r\n").find("InvalidArgument"), std::string::npos);
  EXPECT_NE(sent("ffffffff\r\n" + std::string(100, 'x')).find("EntityTooLarge"), std::string::npos);
}

TEST_F(S3Test, TellsApartWhoMayDoWhat) {
  Send("PUT", "/bucket");
  const auto as = [&](const char* key, const char* method) {
    return Send(method, "/bucket/a", "", {{"Authorization", key}});
  };
  EXPECT_TRUE(as("forged", "GET").Has("<Code>SignatureDoesNotMatch</Code>"));
  EXPECT_TRUE(as("stranger", "GET").Has("<Code>InvalidAccessKeyId</Code>"));
  EXPECT_TRUE(as("reader", "PUT").Has("<Code>AccessDenied</Code>"));
  EXPECT_EQ(as("reader", "PUT").status, 403);
  EXPECT_TRUE(as("reader", "GET").Has("<Code>NoSuchKey</Code>"));
  EXPECT_EQ(as("forged", "HEAD").body, "");
  const http::Headers others = {{"x-amz-expected-bucket-owner", "999999999999"}};
  EXPECT_EQ(Send("HEAD", "/bucket", "", others).status, 403);
  EXPECT_EQ(Send("HEAD", "/bucket", "", {{"x-amz-expected-bucket-owner", "123456789012"}}).status,
            200);
}

TEST_F(S3Test, ChangesAreRecordedAlsoWhereTheyAreRefused) {
  Send("PUT", "/bucket");
  keys_.deeds.clear();
  for (const char* key : {"reader", "team-a", "owner", "stranger"}) {
    Send("PUT", "/bucket/a", "x", {{"Authorization", key}});
  }
  Send("GET", "/bucket/a", "", {{"Authorization", "writer"}});
  EXPECT_EQ(keys_.deeds, (std::vector<std::string>{"reader s3:PUT bucket/a AccessDenied",
                                                   "team-a s3:PUT bucket/a AccessDenied",
                                                   "owner s3:PUT bucket/a begun"}));
}

TEST_F(S3Test, KeysThatOnlyWriteCannotCopy) {
  Send("PUT", "/bucket");
  Send("PUT", "/bucket/key", "secret");
  const auto as_writer = [&](http::Headers headers, const std::string& body) {
    headers.emplace_back("Authorization", "writer");
    return Send("PUT", "/bucket/copy", body, std::move(headers)).status;
  };
  EXPECT_EQ(as_writer({}, "text"), 200);
  EXPECT_EQ(as_writer({{"x-amz-copy-source", "/bucket/key"}}, ""), 403);
}

TEST_F(S3Test, LimitedKeysUseTheirBucketsOnly) {
  for (const char* bucket : {"/team-a-data", "/team-ab", "/team-b"}) {
    Send("PUT", bucket);
    Send("PUT", bucket + std::string("/key"), "secret");
  }
  const auto as_team_a = [&](const char* method, const std::string& target,
                             http::Headers headers = {}, const std::string& body = "") {
    headers.emplace_back("Authorization", "team-a");
    return Send(method, target, body, std::move(headers));
  };
  EXPECT_EQ(as_team_a("GET", "/team-a-data/key").body, "secret");
  EXPECT_EQ(as_team_a("PUT", "/team-a-new").status, 200);
  EXPECT_TRUE(as_team_a("GET", "/team-a-absent").Has("NoSuchBucket"));
  const Answer buckets = as_team_a("GET", "/");
  EXPECT_TRUE(buckets.Has("team-a-data") && buckets.Has("team-a-new")) << buckets.body;
  EXPECT_FALSE(buckets.Has("team-ab") || buckets.Has("team-b")) << buckets.body;
  // The answer is the same whether the bucket exists or not.
  for (const std::string bucket : {"/team-ab", "/team-b", "/absent", "/%74eam-b", "/team-a"}) {
    for (const char* target : {"", "/key", "/?list-type=2", "?location", "?uploads"}) {
      for (const char* method : {"GET", "HEAD", "PUT", "DELETE"}) {
        const Answer answer = as_team_a(method, bucket + target);
        EXPECT_EQ(answer.status, 403) << method << " " << bucket << target << answer.body;
      }
    }
    EXPECT_EQ(as_team_a("GET", "/team-a-data/.." + bucket + "/key").body.find("secret"),
              std::string::npos);
    EXPECT_EQ(as_team_a("POST", bucket + "/key?uploads").status, 403);
    EXPECT_EQ(as_team_a("POST", bucket + "?delete", {}, "<Delete/>").status, 403);
  }
  const auto copy = [&](const char* source) {
    return as_team_a("PUT", "/team-a-data/x", {{"x-amz-copy-source", source}});
  };
  for (const char* source :
       {"team-b/key", "/team-b/key", "%74eam-b/key", "team-ab/key", "gone/k"}) {
    EXPECT_TRUE(copy(source).Has("AccessDenied")) << source;
  }
  for (const char* source : {"team-a-data/../team-b/key", "team-a-data/%2e%2e/team-b/key"}) {
    EXPECT_TRUE(copy(source).Has("NoSuchKey")) << source;
  }
  EXPECT_EQ(copy("team-a-data/key").status, 200);
  EXPECT_EQ(Send("GET", "/team-b/key").body, "secret");
}

TEST_F(S3Test, NeverLeavesItsFolders) {
  Send("PUT", "/bucket");
  Write("secret", "secret");
  Write("s3/bucket/own", "own");
  std::filesystem::create_symlink(folder_.path() / "secret", folder_.path() / "s3/bucket/link");
  std::filesystem::create_directory_symlink(folder_.path(), folder_.path() / "s3/bucket/up");
  std::filesystem::create_directory_symlink(folder_.path(), folder_.path() / "s3/linked-bucket");
  for (const char* target :
       {"/bucket/../../secret", "/bucket/..%2F..%2Fsecret", "/bucket/link", "/bucket/up/secret",
        "/bucket/%2e%2e/%2e%2e/secret", "/bucket/./own", "/linked-bucket/secret"}) {
    EXPECT_EQ(Send("GET", target).status, 404) << target;
  }
  EXPECT_EQ(Send("PUT", "/bucket/up/secret", "x").status, 409);
  EXPECT_EQ(Send("PUT", "/bucket/../../secret", "x").status, 200) << "a key like any other";
  EXPECT_EQ(Send("GET", "/bucket/../../secret").body, "x");
  EXPECT_EQ(*os::ReadWholeFile((folder_.path() / "secret").native()), "secret");
  EXPECT_EQ(Keys("prefix=&list-type=2"), "../../secret own");
  EXPECT_EQ(Send("PUT", "/bucket/link", "y").status, 200) << "takes the link's place";
  EXPECT_EQ(*os::ReadWholeFile((folder_.path() / "secret").native()), "secret");
  for (const char* target : {"/bucket/%zz", "/bucket/%ff", "/bucket/a%00b"}) {
    EXPECT_EQ(Send("PUT", target).status, 400) << target;
  }
  EXPECT_TRUE(Send("PUT", "/bucket/" + std::string(300, 'a')).Has("<Code>KeyTooLongError</Code>"));
}

TEST_F(S3Test, SaysWhatFilesCannotBe) {
  Send("PUT", "/bucket");
  Send("PUT", "/bucket/a", "x");
  EXPECT_EQ(Send("PUT", "/bucket/a/b", "y").status, 409);
  Send("PUT", "/bucket/c/d", "x");
  const Answer conflict = Send("PUT", "/bucket/c", "y");
  EXPECT_EQ(conflict.status, 409);
  EXPECT_TRUE(conflict.Has("'c'"));
  EXPECT_EQ(Send("DELETE", "/bucket/c").status, 204) << "a folder is no object";
  EXPECT_EQ(Send("GET", "/bucket/c/d").body, "x");
  Send("DELETE", "/bucket/c/d");
  EXPECT_EQ(Send("PUT", "/bucket/c", "y").status, 200) << "an empty folder is in nobody's way";
}

TEST_F(S3Test, RemovesObjects) {
  Send("PUT", "/bucket");
  for (const char* key : {"a", "b", "c&d"}) Send("PUT", std::string("/bucket/") + key, "x");
  const Answer answer = Send("POST", "/bucket?delete",
                             "<Delete xmlns=\"x\"><Object><Key>a</Key></Object><Object><Key>"
                             "c&amp;d</Key></Object><Object><Key>none</Key></Object></Delete>");
  EXPECT_TRUE(answer.Has("<Deleted><Key>c&amp;d</Key></Deleted>"));
  EXPECT_TRUE(answer.Has("<Deleted><Key>none</Key></Deleted>"));
  EXPECT_EQ(Keys("list-type=2"), "b");
  for (const char* body : {"<Delete></Delete>", "<Delete>", "x",
                           "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "<Delete><Object/></Delete>"}) {
    EXPECT_TRUE(Send("POST", "/bucket?delete", body).Has("<Code>MalformedXML</Code>")) << body;
  }
  EXPECT_TRUE(Send("POST", "/bucket?delete",
                   "<Delete><Quiet>true</Quiet><Object><Key>b</Key>"
                   "</Object></Delete>")
                  .Has("<DeleteResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"></"));
}

TEST_F(S3Test, CopiesObjects) {
  Send("PUT", "/bucket");
  Send("PUT", "/bucket/a%20b", "hello", {{"x-amz-meta-k", "v"}});
  const Answer copy = Send("PUT", "/bucket/c", "", {{"x-amz-copy-source", "/bucket/a%20b"}});
  EXPECT_TRUE(copy.Has("<ETag>&quot;5d41402abc4b2a76b9719d911017c592&quot;</ETag>"));
  EXPECT_EQ(Send("GET", "/bucket/c").body, "hello");
  EXPECT_EQ(Send("GET", "/bucket/c").Header("x-amz-meta-k"), "v");
  Send("PUT", "/bucket/d", "",
       {{"x-amz-copy-source", "bucket/c"},
        {"x-amz-metadata-directive", "REPLACE"},
        {"x-amz-meta-new", "n"}});
  EXPECT_EQ(Send("GET", "/bucket/d").Header("x-amz-meta-k"), "");
  EXPECT_EQ(Send("GET", "/bucket/d").Header("x-amz-meta-new"), "n");
  EXPECT_EQ(Send("PUT", "/bucket/e", "", {{"x-amz-copy-source", "bucket/none"}}).status, 404);
  EXPECT_EQ(Send("PUT", "/bucket/e", "", {{"x-amz-copy-source", "nonsense"}}).status, 400);
}

TEST_F(S3Test, AFileThatAProgramWroteIsAnObjectToo) {
  Send("PUT", "/bucket");
  Write("s3/bucket/run/x.json", "first");
  const std::string etag = Send("GET", "/bucket/run/x.json").Header("ETag");
  EXPECT_NE(etag.find("-1\""), std::string::npos) << "not an MD5, and does not look like one";
  Send("PUT", "/bucket/run/y", "put", {{"x-amz-meta-k", "v"}});
  Write("s3/bucket/run/y", "written over");
  const Answer over = Send("GET", "/bucket/run/y");
  EXPECT_EQ(over.body, "written over");
  EXPECT_EQ(over.Header("x-amz-meta-k"), "") << "was said of another content";
  Write("s3/bucket/run/z.tmp", "unfinished");
  EXPECT_EQ(Keys("list-type=2"), "run/x.json run/y");
  EXPECT_EQ(Send("GET", "/bucket/run/z.tmp").status, 404);
  EXPECT_EQ(Send("PUT", "/bucket/run/z.tmp", "mine").status, 200);
  EXPECT_EQ(Send("GET", "/bucket/run/z.tmp").body, "mine");
}

TEST_F(S3Test, SaysWhatItDoesNotDo) {
  Send("PUT", "/bucket");
  for (const char* query : {"acl", "versioning", "tagging", "versionId=1"}) {
    const Answer answer = Send("GET", std::string("/bucket?") + query);
    EXPECT_EQ(answer.status, 501);
    EXPECT_TRUE(answer.Has("<Code>NotImplemented</Code>")) << query;
  }
  EXPECT_EQ(Send("PATCH", "/bucket/a").status, 405);
  EXPECT_EQ(Send("PUT", "/").status, 405);
}

TEST_F(S3Test, PutsOnlyWhatIsNewIfAskedTo) {
  Send("PUT", "/bucket");
  const http::Headers only_new = {{"If-None-Match", "*"}};
  EXPECT_EQ(Send("PUT", "/bucket/a", "one", only_new).status, 200);
  EXPECT_EQ(Send("PUT", "/bucket/a", "two", only_new).status, 412);
  EXPECT_EQ(Send("GET", "/bucket/a").body, "one");
}

}  // namespace
}  // namespace warden::s3
