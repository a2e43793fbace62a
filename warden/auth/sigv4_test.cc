#include "warden/auth/sigv4.h"

#include <gtest/gtest.h>

#include "warden/auth/captured_for_test.h"
#include "warden/auth/keyring.h"
#include "warden/base/text/uri.h"
#include "warden/net/digest.h"

namespace warden::auth {
namespace {

Signature Parsed(const http::RequestHead& head) {
  const auto parsed = ParseSignature(head);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    ADD_FAILURE() << refusal->code << ": " << refusal->message;
    return {};
  }
  return std::get<Signature>(parsed);
}

// As worked out in full for one request of boto3.
TEST(SigV4Test, DoesEveryStepRight) {
  const Captured request = ReadCaptured("boto3_stop_training_job");
  const Signature signature = Parsed(request.head);
  EXPECT_EQ(signature.access_key, kCapturedKey);
  EXPECT_EQ(signature.region, "us-east-1");
  EXPECT_EQ(signature.service, "sagemaker");
  EXPECT_EQ(signature.Scope(), "20261115/us-east-1/sagemaker/aws4_request");
  const std::string canonical = CanonicalRequest(request.head, signature, request.payload_hash());
  EXPECT_EQ(canonical,
            "POST\n/\n\ncontent-type:application/x-amz-json-1.1\nhost:127.0.0.1:18081\n"
            "x-amz-date:20261115T001835Z\nx-amz-target:SageMaker.StopTrainingJob\n\n"
            "content-type;host;x-amz-date;x-amz-target\n"
            "ccef491a5070ca1baa9463247d7a8d0b9ed57022aa252824e4449d23055c806c");
  EXPECT_EQ(StringToSign(signature, canonical),
            "AWS4-HMAC-SHA256\n20261115T001835Z\n20261115/us-east-1/sagemaker/aws4_request\n"
            "e57b573a7e5909b809a83135712b886e17c95f0ad64c94bb24ccdba463427ec0");
  EXPECT_EQ(net::Hex(SigningKey(kCapturedSecret, signature)),
            "b619de2ab94219885d71f6de5449207a4f88b31a19a20bcd61ca6157571386ec");
  EXPECT_EQ(ExpectedSignature(kCapturedSecret, request.head, signature, request.payload_hash()),
            "2c1a8ef45cd1a0f86eb41c46c5f9a28293180aba77b34cb80a7de5f75ee47a42");
}

TEST(SigV4Test, AgreesWithRealClients) {
  for (const char* name :
       {"boto3_create_training_job", "boto3_stop_training_job", "cli_describe_training_job",
        "s3_list_buckets", "s3_head_bucket", "s3_create_bucket", "s3_put_object", "s3_get_odd_key",
        "s3_list_objects", "s3_session_token", "logs_describe_log_streams",
        "sts_get_caller_identity"}) {
    const Captured request = ReadCaptured(name);
    const Signature signature = Parsed(request.head);
    EXPECT_EQ(ExpectedSignature(kCapturedSecret, request.head, signature, request.payload_hash()),
              signature.signature)
        << name;
  }
}

TEST(SigV4Test, MakesQueriesCanonical) {
  http::RequestHead head;
  head.method = "GET";
  head.path = "/bucket/a%20b/%C3%BC~+x";
  head.query = "prefix=a/b%2Fc&list-type=2&empty&a=2&a=1&q=x+y%2B";
  Signature signature;
  signature.service = "s3";
  EXPECT_EQ(CanonicalRequest(head, signature, "UNSIGNED-PAYLOAD"),
            "GET\n/bucket/a%20b/%C3%BC~%2Bx\n"
            "a=1&a=2&empty=&list-type=2&prefix=a%2Fb%2Fc&q=x%20y%2B\n\n\nUNSIGNED-PAYLOAD");
  // All but S3 encode the path twice.
  signature.service = "sagemaker";
  EXPECT_NE(CanonicalRequest(head, signature, "").find("/bucket/a%2520b/%25C3%25BC~%252Bx\n"),
            std::string::npos);
}

TEST(SigV4Test, JoinsHeadersAndBlanks) {
  http::RequestHead head;
  head.path = "/";
  head.headers = {{"X-Thing", "  a   b "}, {"Host", "h"}, {"x-thing", "c\t d"}};
  Signature signature;
  signature.signed_headers = {"host", "x-thing"};
  EXPECT_NE(
      CanonicalRequest(head, signature, "").find("\nhost:h\nx-thing:a b,c d\n\nhost;x-thing\n"),
      std::string::npos);
}

struct Broken {
  const char* from;
  const char* to;
};

TEST(SigV4Test, RefusesWhatDoesNotFollowTheRules) {
  const Broken cases[] = {
      {"AWS4-HMAC-SHA256 ", "AWS4-ECDSA-P256-SHA256 "},
      {"AWS4-HMAC-SHA256 ", "Basic "},
      {"Credential=", "Cradential="},
      {"SignedHeaders=", "Headers="},
      {", Signature=", ", Sig="},
      {"AKIDEXAMPLE/", "/"},
      {"AKIDEXAMPLE/", "AKID/EXAMPLE/"},
      {"/20261115/", "/2026111/"},
      {"/20261115/", "/20261116/"},
      {"/us-east-1/", "//"},
      {"/us-east-1/", "/us east/"},
      {"/us-east-1/", "/US-EAST-1/"},
      {"/sagemaker/", "/ec2/"},
      {"aws4_request", "aws4_reqest"},
      {"content-type;host;", "content-type;"},
      {"content-type;host;", "Content-Type;host;"},
      {"content-type;host;", "content-type;absent;host;"},
      {";x-amz-target", ""},
      {"Signature=2c1a8ef4", "Signature=2c1a8ef"},
      {"Signature=2c1a8ef4", "Signature=2C1A8EF4"},
      {"X-Amz-Date: 20261115T001835Z", "X-Amz-Date: 20261115"},
      {"X-Amz-Date: 20261115T001835Z", "X-Amz-Date: 20261315T001835Z"},
      {"X-Amz-Date: 20261115T001835Z", "X-Amz-Date: 20261115T241835Z"},
      {"X-Amz-Date: 20261115T001835Z", "X-Amz-Date: 2026111xT001835Z"},
      {"X-Amz-Date: ", "X-Other: "},
      {"X-Amz-Date: ", "X-Amz-Extra: 1\r\nX-Amz-Date: "},
  };
  for (const Broken& broken : cases) {
    std::string text = ReadCapturedText("boto3_stop_training_job");
    const size_t at = text.find(broken.from);
    ASSERT_NE(at, std::string::npos) << broken.from;
    text.replace(at, std::string_view(broken.from).size(), broken.to);
    const auto parsed = ParseSignature(ParseCaptured(text).head);
    ASSERT_TRUE(std::holds_alternative<Refusal>(parsed)) << broken.from << " -> " << broken.to;
    EXPECT_EQ(std::get<Refusal>(parsed).code, "IncompleteSignatureException");
    EXPECT_EQ(std::get<Refusal>(parsed).message.find("2c1a8ef4"), std::string::npos);
  }
}

TEST(SigV4Test, DecodesAnything) {
  EXPECT_EQ(UriDecode("%41%zz%4"), "A%zz%4");
  EXPECT_EQ(UriDecode(UriEncode("a/\xFF %+~", true)), "a/\xFF %+~");
  EXPECT_EQ(UriEncode("a/b c", false), "a/b%20c");
  EXPECT_TRUE(ParseQuery("&&").empty());
  EXPECT_EQ(ParseQuery("=x&y=").size(), 2U);
}

}  // namespace
}  // namespace warden::auth
