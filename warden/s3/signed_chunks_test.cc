// Bodies in signed chunks. The first two are those that Amazon's documentation works out.

#include <fmt/format.h>

#include "warden/auth/access_key.h"
#include "warden/auth/chunk_signature.h"
#include "warden/auth/sigv4.h"
#include "warden/s3/aws_chunked.h"
#include "warden/s3/s3_for_test.h"

namespace warden::s3 {
namespace {

constexpr char kDocumentedSecret[] = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

auth::ChunkSeed SeedOf(const std::string& secret, const std::string& signature) {
  auth::Signature parts;
  parts.date = "20130524";
  parts.region = "us-east-1";
  parts.service = "s3";
  parts.time = "20130524T000000Z";
  return {os::Secret(auth::SigningKey(secret, parts)), parts.time, parts.Scope(), signature};
}

std::string Chunk(const std::string& data, const std::string& signature) {
  return fmt::format("{:x};chunk-signature={}\r\n{}\r\n", data.size(), signature, data);
}

struct Outcome {
  bool ok = false;
  bool done = false;
  bool forged = false;
  std::string text;
};

Outcome Decode(const std::string& body, const auth::ChunkSeed& seed, bool trailer,
               size_t piece = 1000) {
  Outcome outcome;
  AwsChunkedDecoder decoder(
      [&outcome](std::string_view data) {
        outcome.text += data;
        return Status();
      },
      SignedChunks{seed, trailer});
  Status status;
  for (size_t at = 0; at < body.size() && status.ok(); at += piece) {
    status = decoder.Take(std::string_view(body).substr(at, piece));
  }
  outcome.ok = status.ok();
  outcome.done = decoder.done();
  outcome.forged = decoder.is_forged();
  return outcome;
}

TEST(SignedChunksTest, AcceptsTheDocumentedBody) {
  const auth::ChunkSeed seed =
      SeedOf(kDocumentedSecret, "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
  const std::string body =
      Chunk(std::string(65536, 'a'),
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648") +
      Chunk(std::string(1024, 'a'),
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497") +
      Chunk("", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
  for (const size_t piece : {1, 17, 1000, 100'000}) {
    const Outcome outcome = Decode(body, seed, false, piece);
    EXPECT_TRUE(outcome.ok && outcome.done) << piece;
    EXPECT_EQ(outcome.text, std::string(66560, 'a'));
  }
  // The order, the length and each byte are signed.
  std::string changed = body;
  changed[100] = 'b';
  EXPECT_TRUE(Decode(changed, seed, false).forged);
  const size_t second = body.find("400;");
  EXPECT_TRUE(Decode(body.substr(second), seed, false).forged) << "the first is missing";
  EXPECT_TRUE(
      Decode(body.substr(0, second) + body.substr(body.find("\r\n0;") + 2), seed, false).forged)
      << "the second is missing";
  EXPECT_FALSE(Decode(body.substr(0, second), seed, false).done);
  EXPECT_TRUE(Decode("1\r\na\r\n", seed, false).forged) << "not signed at all";
  EXPECT_TRUE(
      Decode(body.substr(0, body.size() - 2) + "x-amz-checksum-crc32:AAAA\r\n\r\n", seed, false)
          .forged)
      << "a trailer that nobody signed";
}

TEST(SignedChunksTest, AcceptsTheDocumentedTrailer) {
  const auth::ChunkSeed seed =
      SeedOf(kDocumentedSecret, "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e");
  const std::string chunks =
      Chunk(std::string(65536, 'a'),
            "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2") +
      Chunk(std::string(1024, 'a'),
            "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7") +
      "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n";
  const std::string trailers =
      "x-amz-checksum-crc32c:sOO8/Q==\r\n"
      "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435"
      "\r\n\r\n";
  const Outcome outcome = Decode(chunks + trailers, seed, true);
  EXPECT_TRUE(outcome.ok && outcome.done);
  std::string changed = trailers;
  changed[25] = 'x';
  EXPECT_TRUE(Decode(chunks + changed, seed, true).forged);
  EXPECT_TRUE(Decode(chunks + "\r\n", seed, true).forged) << "left out";
  EXPECT_TRUE(Decode(chunks + "x-amz-checksum-crc32c:sOO8/Q==\r\n\r\n", seed, true).forged);
}

// Keys that sign chunks with the seed of the documentation.
class ChunkKeys final : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead& head, std::string_view) const override {
    auth::Identity identity{"owner", "123456789012", "us-east-1", auth::kAllScopes};
    if (head.Header("authorization") == "owner") {
      identity.chunks = SeedOf(kDocumentedSecret,
                               "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
    }
    return identity;
  }
};

TEST_F(S3Test, StoresNothingWhoseChunksAreForged) {
  const ChunkKeys keys;
  s3_ = MakeS3(&options_, &keys);
  Send("PUT", "/bucket");
  const http::Headers headers = {{"x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"},
                                 {"x-amz-decoded-content-length", "66560"},
                                 {"Content-Encoding", "aws-chunked"}};
  std::string body = Chunk(std::string(65536, 'a'),
                           "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648") +
                     Chunk(std::string(1024, 'a'),
                           "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497") +
                     Chunk("", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
  const Answer stored = Send("PUT", "/bucket/a", body, headers, 5000);
  EXPECT_EQ(stored.status, 200) << stored.body;
  EXPECT_EQ(Send("GET", "/bucket/a").body, std::string(66560, 'a'));
  body[200] = 'b';
  const Answer forged = Send("PUT", "/bucket/b", body, headers, 5000);
  EXPECT_EQ(forged.status, 403);
  EXPECT_TRUE(forged.Has("<Code>SignatureDoesNotMatch</Code>")) << forged.body;
  EXPECT_EQ(Send("GET", "/bucket/b").status, 404);
  http::Headers by_token = headers;
  by_token.emplace_back("Authorization", "token");
  EXPECT_EQ(Send("PUT", "/bucket/c", body, by_token).status, 400) << "no seed to begin with";
}

}  // namespace
}  // namespace warden::s3
