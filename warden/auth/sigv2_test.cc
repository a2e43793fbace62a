#include "warden/auth/sigv2.h"

#include <gtest/gtest.h>

#include "warden/auth/captured_for_test.h"
#include "warden/auth/keyring.h"

namespace warden::auth {
namespace {

// URLs that boto3 made for us-east-1, which it signs with version 2.
constexpr char kGet[] =
    "/demo-bucket/runs/a%20b/%C3%BC%2B~%281%29%3D%26%3B%2C.txt?response-content-type=text%2Fplain"
    "%3B%20x&response-content-disposition=attachment&AWSAccessKeyId=AKIDEXAMPLE&Signature=9P842Z"
    "%2B0ru%2FEtTq37gdQHS4wYLI%3D&Expires=1794702000";
constexpr char kPut[] =
    "/demo-bucket/k?AWSAccessKeyId=AKIDEXAMPLE&Signature=jxfQ%2F%2BlrH8fPUL8yZ6%2FtVU%2Bis8A%3D&"
    "content-type=text%2Fplain&x-amz-meta-tag=v&Expires=1794702000";
constexpr char kPart[] =
    "/demo-bucket/k?uploadId=abc&partNumber=2&AWSAccessKeyId=AKIDEXAMPLE&Signature=fNUb43t3fijFePt"
    "V2OI9YcL4ubE%3D&Expires=1794702000";
constexpr char kWithSession[] =
    "/demo-bucket/k?AWSAccessKeyId=AKIDEXAMPLE&Signature=S4SN0QUYRFFcquutpduBVkeag%2Fs%3D&x-amz-"
    "security-token=FQoG%2Fsession%2Btoken%3D%3D&Expires=1794702000";

class SigV2Test : public testing::Test {
 protected:
  SigV2Test() {
    AccessKey key;
    key.id = kCapturedKey;
    key.secret = os::Secret(std::string(kCapturedSecret));
    ring_.keys = {key};
    ring_.account = "000000000000";
    ring_.region = "eu-west-1";
    ring_.now = [this] { return now_; };
  }

  static http::RequestHead Head(const std::string& method, const std::string& target) {
    http::RequestHead head;
    head.method = method;
    head.path = target.substr(0, target.find('?'));
    head.query = target.substr(target.find('?') + 1);
    head.headers = {{"Host", "127.0.0.1:18083"}};
    return head;
  }
  // The code of the refusal; empty if it is accepted.
  std::string CodeOf(const http::RequestHead& head) {
    const Verdict verdict = MakeAuthenticator(ring_)->Check(head, "UNSIGNED-PAYLOAD");
    const auto* refusal = std::get_if<Refusal>(&verdict);
    if (refusal != nullptr) return refusal->code;
    EXPECT_EQ(std::get<Identity>(verdict).signature, "") << "URLs may be used again";
    return "";
  }
  std::string FormCode(const QueryPairs& fields) {
    const Verdict verdict = MakeAuthenticator(ring_)->CheckForm(fields);
    const auto* refusal = std::get_if<Refusal>(&verdict);
    return refusal == nullptr ? "" : refusal->code;
  }

  Keyring ring_;
  std::chrono::system_clock::time_point now_{std::chrono::seconds(1794702000)};
};

TEST_F(SigV2Test, AcceptsWhatBoto3Makes) {
  EXPECT_EQ(CodeOf(Head("GET", kGet)), "");
  EXPECT_EQ(CodeOf(Head("PUT", kPart)), "");
  http::RequestHead put = Head("PUT", kPut);
  EXPECT_EQ(CodeOf(put), "");
  put.headers.emplace_back("Content-Type", "text/plain");
  put.headers.emplace_back("x-amz-meta-tag", "v");
  EXPECT_EQ(CodeOf(put), "");
  EXPECT_EQ(CodeOf(Head("GET", kWithSession)), "UnrecognizedClientException");
  ring_.keys[0].session_token = os::Secret("FQoG/session+token==");
  EXPECT_EQ(CodeOf(Head("GET", kWithSession)), "");
  EXPECT_EQ(CodeOf(Head("GET", kGet)), "UnrecognizedClientException");
}

TEST_F(SigV2Test, RefusesWhatWasChanged) {
  http::RequestHead head = Head("GET", kGet);
  head.method = "PUT";
  EXPECT_EQ(CodeOf(head), "InvalidSignatureException");
  head = Head("GET", kGet);
  head.path += "x";
  EXPECT_EQ(CodeOf(head), "InvalidSignatureException");
  for (const char* more : {"&acl", "&uploadId=1", "&response-expires=x", "&x-amz-meta-a=b"}) {
    head = Head("GET", kGet);
    head.query += more;
    EXPECT_EQ(CodeOf(head), "InvalidSignatureException") << more;
  }
  head = Head("GET", kGet);
  head.headers.emplace_back("x-amz-copy-source", "b/k");
  EXPECT_EQ(CodeOf(head), "InvalidSignatureException");
  ring_.keys[0].secret = os::Secret("another");
  EXPECT_EQ(CodeOf(Head("GET", kGet)), "InvalidSignatureException");
}

TEST_F(SigV2Test, EndsWithItsTime) {
  now_ += std::chrono::seconds(1);
  EXPECT_EQ(CodeOf(Head("GET", kGet)), "AccessDenied");
}

TEST_F(SigV2Test, RefusesWhatIsMalformed) {
  for (const char* query :
       {"AWSAccessKeyId=AKIDEXAMPLE", "AWSAccessKeyId=&Signature=x&Expires=1",
        "AWSAccessKeyId=AKIDEXAMPLE&Signature=x",
        "AWSAccessKeyId=AKIDEXAMPLE&Signature=x&Expires=x",
        "AWSAccessKeyId=AKIDEXAMPLE&Signature=x&Expires=-1",
        "AWSAccessKeyId=AKIDEXAMPLE&Signature=x&Expires=99999999999999",
        "AWSAccessKeyId=AKIDEXAMPLE&Signature=x&Expires=1794702000&Expires=1894702000"}) {
    EXPECT_EQ(CodeOf(Head("GET", std::string("/b/k?") + query)), "IncompleteSignatureException")
        << query;
  }
  EXPECT_EQ(CodeOf(Head("GET", "/b/k?AWSAccessKeyId=X&Signature=x&Expires=1794702000")),
            "UnrecognizedClientException");
}

// Forms that boto3 made, for both versions.
TEST_F(SigV2Test, AcceptsFormsOfBoto3) {
  const std::string old_policy =
      "eyJleHBpcmF0aW9uIjogIjIwMjYtMTEtMTdUMTE6NDA6NTNaIiwgImNvbmRpdGlvbnMiOiBbWyJzdGFydHMtd2l0aCIs"
      "ICIkQ29udGVudC1UeXBlIiwgInRleHQvIl0sIFsiY29udGVudC1sZW5ndGgtcmFuZ2UiLCAxLCAxMDBdLCB7ImJ1Y2tl"
      "dCI6ICJkZW1vLWJ1Y2tldCJ9LCBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci8iXV19";
  QueryPairs fields = {{"awsaccesskeyid", "AKIDEXAMPLE"},
                       {"policy", old_policy},
                       {"signature", "deeuNdC5YSvMR5crP0PNZcqHAug="}};
  EXPECT_EQ(FormCode(fields), "");
  fields[1].second[20] = 'x';
  EXPECT_EQ(FormCode(fields), "InvalidSignatureException");
  const std::string policy =
      "eyJleHBpcmF0aW9uIjogIjIwMjYtMTEtMTdUMTE6NDA6NTNaIiwgImNvbmRpdGlvbnMiOiBbeyJidWNrZXQiOiAiZGVt"
      "by1idWNrZXQifSwgeyJrZXkiOiAiayJ9LCB7IngtYW16LWFsZ29yaXRobSI6ICJBV1M0LUhNQUMtU0hBMjU2In0sIHsi"
      "eC1hbXotY3JlZGVudGlhbCI6ICJBS0lERVhBTVBMRS8yMDI2MTExNy91cy1lYXN0LTEvczMvYXdzNF9yZXF1ZXN0In0s"
      "IHsieC1hbXotZGF0ZSI6ICIyMDI2MTExN1QxMDQwNTNaIn1dfQ==";
  fields = {
      {"x-amz-algorithm", "AWS4-HMAC-SHA256"},
      {"x-amz-credential", "AKIDEXAMPLE/20261117/us-east-1/s3/aws4_request"},
      {"x-amz-date", "20261117T104053Z"},
      {"policy", policy},
      {"x-amz-signature", "957bab7d862c4d941bb3e3b61c9bbd6f82fcba9c7cbb102fda39a32ecf5361fd"}};
  EXPECT_EQ(FormCode(fields), "");
  fields[1].second = "AKIDEXAMPLE/20261117/us-west-2/s3/aws4_request";
  EXPECT_EQ(FormCode(fields), "InvalidSignatureException");
  fields[1].second = "UNKNOWN/20261117/us-east-1/s3/aws4_request";
  EXPECT_EQ(FormCode(fields), "UnrecognizedClientException");
  fields[1].second = "nonsense";
  EXPECT_EQ(FormCode(fields), "IncompleteSignatureException");
  EXPECT_EQ(FormCode({}), "MissingAuthenticationTokenException");
}

}  // namespace
}  // namespace warden::auth
