#include "warden/s3/multipart.h"

#include "warden/s3/s3_for_test.h"

namespace warden::s3 {
namespace {

class MultipartTest : public S3Test {
 protected:
  MultipartTest() { Send("PUT", "/bucket"); }

  static std::string Between(const std::string& text, const std::string& element) {
    const size_t start = text.find("<" + element + ">") + element.size() + 2;
    return text.substr(start, text.find("</", start) - start);
  }

  std::string Begin(const std::string& key = "big", http::Headers headers = {}) {
    return Between(Send("POST", "/bucket/" + key + "?uploads", "", std::move(headers)).body,
                   "UploadId");
  }

  // Its ETag.
  std::string Part(const std::string& id, int number, const std::string& body) {
    return Send("PUT", "/bucket/big?uploadId=" + id + "&partNumber=" + std::to_string(number), body,
                {}, /*piece=*/1 << 20)
        .Header("ETag");
  }
  // Of the least size that all parts but the last may have.
  static std::string Large(const std::string& end) {
    return std::string((5 << 20) - end.size(), 'a') + end;
  }

  Answer Complete(const std::string& id, const std::vector<std::pair<int, std::string>>& parts) {
    std::string body = "<CompleteMultipartUpload>";
    for (const auto& [number, etag] : parts) {
      body += "<Part><PartNumber>" + std::to_string(number) + "</PartNumber><ETag>" + etag +
              "</ETag></Part>";
    }
    return Send("POST", "/bucket/big?uploadId=" + id, body + "</CompleteMultipartUpload>");
  }
};

TEST_F(MultipartTest, JoinsParts) {
  const std::string id = Begin("big", {{"Content-Type", "text/x"}});
  const std::string two = Part(id, 2, "world");
  const std::string one = Part(id, 1, Large("hello "));
  EXPECT_EQ(one, "\"803041c7cd037ce4dbc9192f6bad845b\"");
  EXPECT_TRUE(Send("GET", "/bucket?uploads").Has("<UploadId>" + id + "</UploadId>"));
  const Answer parts = Send("GET", "/bucket/big?uploadId=" + id);
  EXPECT_LT(parts.body.find("<PartNumber>1<"), parts.body.find("<PartNumber>2<"));
  const Answer first = Send("GET", "/bucket/big?uploadId=" + id + "&max-parts=1");
  EXPECT_TRUE(first.Has("<NextPartNumberMarker>1<"));
  EXPECT_TRUE(first.Has("<IsTruncated>true<"));
  const Answer done = Complete(id, {{1, one}, {2, two}});
  EXPECT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(Send("GET", "/bucket/big").body, Large("hello ") + "world");
  EXPECT_EQ(Send("GET", "/bucket/big").Header("content-type"), "text/x");
  // MD5 of both MD5s, as Amazon's.
  EXPECT_EQ(Send("GET", "/bucket/big").Header("ETag"), "\"d8e79c7f89a1700526a3bc5760ca0490-2\"");
  EXPECT_TRUE(Complete(id, {{1, one}}).Has("<Code>NoSuchUpload</Code>"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "uploads"));
}

TEST_F(MultipartTest, APartSentAgainCountsAsItsEtagSays) {
  const std::string id = Begin();
  const std::string old = Part(id, 1, "old");
  const std::string fresh = Part(id, 1, "fresh");
  EXPECT_EQ(Complete(id, {{1, fresh}}).status, 200);
  EXPECT_EQ(Send("GET", "/bucket/big").body, "fresh");
}

TEST_F(MultipartTest, RefusesWhatIsNotThere) {
  const std::string id = Begin();
  const std::string one = Part(id, 1, "x");
  const std::string two = Part(id, 2, "y");
  EXPECT_TRUE(Complete(id, {{1, two}}).Has("<Code>InvalidPart</Code>"));
  EXPECT_TRUE(Complete(id, {{1, "../../secret"}}).Has("<Code>InvalidPart</Code>"));
  EXPECT_TRUE(Complete(id, {{2, two}, {1, one}}).Has("<Code>InvalidPartOrder</Code>"));
  EXPECT_TRUE(Complete(id, {}).Has("<Code>MalformedXML</Code>"));
  EXPECT_TRUE(Complete("../x", {{1, one}}).Has("<Code>NoSuchUpload</Code>"));
  EXPECT_TRUE(
      Send("PUT", "/bucket/big?uploadId=none&partNumber=1", "x").Has("<Code>NoSuchUpload</Code>"));
  EXPECT_TRUE(Send("PUT", "/bucket/other?uploadId=" + id + "&partNumber=1", "x")
                  .Has("<Code>NoSuchUpload</Code>"));
  for (const char* number : {"0", "10001", "x", ""}) {
    EXPECT_EQ(Send("PUT", "/bucket/big?uploadId=" + id + "&partNumber=" + number, "x").status, 400);
  }
  EXPECT_EQ(Send("DELETE", "/bucket/big?uploadId=" + id).status, 204);
  EXPECT_EQ(Send("DELETE", "/bucket/big?uploadId=" + id).status, 404);
  EXPECT_EQ(Send("GET", "/bucket/big").status, 404);
}

TEST_F(MultipartTest, RefusesSmallPartsButTheLast) {
  const std::string id = Begin();
  const std::string small = Part(id, 1, Large("").substr(1)), least = Part(id, 2, Large(""));
  const std::string last = Part(id, 3, "x");
  const Answer refused = Complete(id, {{1, small}, {2, least}, {3, last}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(refused.Has("<Code>EntityTooSmall</Code>")) << refused.body;
  EXPECT_EQ(Send("GET", "/bucket/big").status, 404);
  EXPECT_EQ(Complete(id, {{2, least}, {3, last}}).status, 200) << "the upload is still there";
}

TEST_F(MultipartTest, CopiesRangesAsParts) {
  const std::string source = Large("0123456789");
  Send("PUT", "/bucket/source", source, {}, /*piece=*/1 << 20);
  const std::string id = Begin();
  const auto copy = [&](int number, const char* range) {
    return Send("PUT", "/bucket/big?uploadId=" + id + "&partNumber=" + std::to_string(number), "",
                {{"x-amz-copy-source", "bucket/source"}, {"x-amz-copy-source-range", range}});
  };
  const std::string one = Between(copy(1, "bytes=0-5242879").body, "ETag");
  const std::string two = Between(copy(2, "bytes=5242870-5242874").body, "ETag");
  EXPECT_EQ(copy(3, "bytes=5242880-5242882").status, 400);
  EXPECT_EQ(Complete(id, {{1, one}, {2, two}}).status, 200);
  EXPECT_EQ(Send("GET", "/bucket/big").body, source + "01234");
}

TEST_F(MultipartTest, SurvivesTheService) {
  const std::string id = Begin();
  const std::string one = Part(id, 1, "x");
  Write("uploads/put-of-one-that-was-killed", "x");
  s3_ = MakeS3(&options_, &keys_);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "uploads/put-of-one-that-was-killed"));
  EXPECT_EQ(Complete(id, {{1, one}}).status, 200);
}

}  // namespace
}  // namespace warden::s3
