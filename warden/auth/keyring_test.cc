#include "warden/auth/keyring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "warden/auth/captured_for_test.h"
#include "warden/auth/sigv4.h"

namespace warden::auth {
namespace {

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

class KeyringTest : public testing::Test {
 protected:
  KeyringTest() {
    AccessKey key;
    key.id = kCapturedKey;
    key.secret = os::Secret(std::string(kCapturedSecret));
    key.scopes = static_cast<uint8_t>(Scope::kRead);
    ring_.keys = {key};
    ring_.token = os::Secret(kToken);
    ring_.account = "000000000000";
    ring_.region = "eu-west-1";
    ring_.now = [this] { return now_; };
  }

  // The code of the refusal; empty if it is accepted.
  std::string CodeOf(const http::RequestHead& head, std::string_view payload_hash) {
    const Verdict verdict = MakeAuthenticator(ring_)->Check(head, payload_hash);
    if (const auto* identity = std::get_if<Identity>(&verdict)) {
      identity_ = *identity;
      return "";
    }
    const Refusal& refusal = std::get<Refusal>(verdict);
    EXPECT_EQ(refusal.message.find(kCapturedSecret), std::string::npos);
    EXPECT_FALSE(refusal.message.empty());
    return refusal.code;
  }
  std::string CodeOf(const Captured& request) {
    return CodeOf(request.head, request.payload_hash());
  }

  Keyring ring_;
  Identity identity_;
  std::chrono::system_clock::time_point now_ = *ParseSignatureTime("20261115T001835Z");
};

TEST_F(KeyringTest, AcceptsASignature) {
  EXPECT_EQ(CodeOf(ReadCaptured("boto3_stop_training_job")), "");
  EXPECT_EQ(identity_.access_key, "AKIDEXAMPLE");
  EXPECT_EQ(identity_.account, "000000000000");
  EXPECT_EQ(identity_.region, "us-east-1");
  EXPECT_TRUE(identity_.May(Scope::kRead));
  EXPECT_FALSE(identity_.May(Scope::kWrite));
  ring_.keys[0].account = "123456789012";
  EXPECT_EQ(CodeOf(ReadCaptured("boto3_stop_training_job")), "");
  EXPECT_EQ(identity_.account, "123456789012");
}

TEST_F(KeyringTest, TellsTheLimitsOfAKey) {
  ring_.keys[0].limits = {.jobs = {"team-a-"}, .buckets = {"team-a-"}};
  EXPECT_EQ(CodeOf(ReadCaptured("boto3_stop_training_job")), "");
  EXPECT_EQ(identity_.limits.jobs, ring_.keys[0].limits.jobs);
  EXPECT_EQ(identity_.limits.buckets, ring_.keys[0].limits.buckets);
  http::RequestHead head;
  head.headers = {{"Authorization", fmt::format("Bearer {}", kToken)}};
  EXPECT_EQ(CodeOf(head, ""), "");
  EXPECT_FALSE(identity_.limits.Any());
}

TEST_F(KeyringTest, RefusesWhatWasChanged) {
  const Captured request = ReadCaptured("boto3_stop_training_job");
  Captured changed = request;
  changed.body += " ";
  EXPECT_EQ(CodeOf(changed), "InvalidSignatureException");
  changed = request;
  changed.head.method = "GET";
  EXPECT_EQ(CodeOf(changed), "InvalidSignatureException");
  changed = request;
  changed.head.path = "/x";
  EXPECT_EQ(CodeOf(changed), "InvalidSignatureException");
  changed = request;
  changed.head.query = "x";
  EXPECT_EQ(CodeOf(changed), "InvalidSignatureException");
  changed = request;
  for (auto& [name, value] : changed.head.headers) {
    if (name == "X-Amz-Target") value = "SageMaker.DeleteTrainingJob";
  }
  EXPECT_EQ(CodeOf(changed), "InvalidSignatureException");
  ring_.keys[0].secret = os::Secret("another");
  EXPECT_EQ(CodeOf(request), "InvalidSignatureException");
}

TEST_F(KeyringTest, RefusesThoseItDoesNotKnow) {
  Captured request = ReadCaptured("boto3_stop_training_job");
  ring_.keys[0].id = "OTHER";
  EXPECT_EQ(CodeOf(request), "UnrecognizedClientException");
  ring_.keys.clear();
  EXPECT_EQ(CodeOf(request), "UnrecognizedClientException");
  request.head.headers.clear();
  EXPECT_EQ(CodeOf(request), "MissingAuthenticationTokenException");
  request.head.query = std::string("token=") + kToken;
  EXPECT_EQ(CodeOf(request), "MissingAuthenticationTokenException");
  request.head.headers = {{"Authorization", "Basic eDp5"}};
  EXPECT_EQ(CodeOf(request), "IncompleteSignatureException");
}

TEST_F(KeyringTest, RefusesOldAndFutureOnes) {
  const Captured request = ReadCaptured("boto3_stop_training_job");
  const auto signed_at = now_;
  for (const int minutes : {-15, 15}) {
    now_ = signed_at + std::chrono::minutes(minutes);
    EXPECT_EQ(CodeOf(request), "") << minutes;
  }
  for (const int minutes : {-16, 16}) {
    now_ = signed_at + std::chrono::minutes(minutes);
    EXPECT_EQ(CodeOf(request), "RequestExpired") << minutes;
  }
  ring_.clock_skew = std::chrono::hours(1);
  EXPECT_EQ(CodeOf(request), "");
}

TEST_F(KeyringTest, KnowsItsToken) {
  http::RequestHead head;
  head.headers = {{"authorization", std::string("Bearer ") + kToken}};
  EXPECT_EQ(CodeOf(head, ""), "");
  EXPECT_EQ(identity_.access_key, "token");
  EXPECT_EQ(identity_.region, "eu-west-1");
  EXPECT_TRUE(identity_.May(Scope::kWrite) && identity_.May(Scope::kExec));
  for (const std::string& wrong : {std::string(kToken) + "0", std::string(kToken).substr(1),
                                   std::string(), std::string(32, '0')}) {
    head.headers = {{"Authorization", "Bearer " + wrong}};
    EXPECT_NE(CodeOf(head, ""), "") << wrong;
  }
  ring_.token = os::Secret();
  head.headers = {{"Authorization", "Bearer "}};
  EXPECT_NE(CodeOf(head, ""), "");
}

// A request that we sign ourselves, with headers in place or in the query.
http::RequestHead SignedUrl(const Signature& wanted, std::string extra) {
  http::RequestHead head;
  head.method = "GET";
  head.path = "/bucket/key";
  head.headers = {{"Host", "127.0.0.1:8080"}};
  head.query =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261115%2Fus-east-1"
      "%2Fs3%2Faws4_request&X-Amz-Date=20261115T001835Z&X-Amz-Expires=3600"
      "&X-Amz-SignedHeaders=host" +
      extra;
  head.query +=
      "&X-Amz-Signature=" + ExpectedSignature(kCapturedSecret, head, wanted, "UNSIGNED-PAYLOAD");
  return head;
}

TEST_F(KeyringTest, AcceptsSignedUrls) {
  Signature wanted;
  wanted.date = "20261115";
  wanted.region = "us-east-1";
  wanted.service = "s3";
  wanted.time = "20261115T001835Z";
  wanted.signed_headers = {"host"};
  http::RequestHead head = SignedUrl(wanted, "");
  EXPECT_EQ(CodeOf(head, ""), "");
  now_ += std::chrono::minutes(59);
  EXPECT_EQ(CodeOf(head, ""), "");
  now_ += std::chrono::minutes(2);
  EXPECT_EQ(CodeOf(head, ""), "AccessDenied");
  now_ -= std::chrono::minutes(61);
  head.query += "&versionId=1";
  EXPECT_EQ(CodeOf(head, ""), "InvalidSignatureException");
  EXPECT_EQ(CodeOf(SignedUrl(wanted, "&X-Amz-Expires=604800"), ""), "IncompleteSignatureException");
  EXPECT_EQ(CodeOf(SignedUrl(wanted, "&X-Amz-Security-Token=x"), ""),
            "UnrecognizedClientException");
  ring_.keys[0].session_token = os::Secret("x");
  EXPECT_EQ(CodeOf(SignedUrl(wanted, "&X-Amz-Security-Token=x"), ""), "");
  EXPECT_EQ(CodeOf(SignedUrl(wanted, ""), ""), "UnrecognizedClientException");
}

TEST_F(KeyringTest, AcceptsWhatBoto3Makes) {
  EXPECT_EQ(CodeOf(ReadCaptured("s3_presigned_get").head, ""), "");
  EXPECT_EQ(CodeOf(ReadCaptured("s3_get_odd_key")), "");
  EXPECT_EQ(CodeOf(ReadCaptured("s3_session_token")), "UnrecognizedClientException");
  ring_.keys[0].session_token = os::Secret("FQoG/session+token==");
  EXPECT_EQ(CodeOf(ReadCaptured("s3_session_token")), "");
}

TEST_F(KeyringTest, WantsSessionTokensOnlyOfKeysThatHaveOne) {
  Captured request = ReadCaptured("boto3_stop_training_job");
  ring_.keys[0].session_token = os::Secret("session");
  EXPECT_EQ(CodeOf(request), "UnrecognizedClientException");
  request.head.headers.emplace_back("X-Amz-Security-Token", "session");
  EXPECT_EQ(CodeOf(request), "IncompleteSignatureException");  // It must be signed.
  for (auto& [name, value] : request.head.headers) {
    const size_t at = value.find("x-amz-date;");
    if (at != std::string::npos) value.insert(at + 11, "x-amz-security-token;");
  }
  EXPECT_EQ(CodeOf(request), "InvalidSignatureException");
  ring_.keys[0].session_token = os::Secret();
  EXPECT_EQ(CodeOf(request), "UnrecognizedClientException");
}

// Before the body has come.
TEST_F(KeyringTest, RefusesByTheHeadWhatNoBodyCanMakeRight) {
  const auto code = [this](const http::RequestHead& head) {
    const auto refusal = MakeAuthenticator(ring_)->CheckHead(head);
    return refusal ? refusal->code : "";
  };
  const Captured request = ReadCaptured("boto3_stop_training_job");
  EXPECT_EQ(code(request.head), "");
  http::RequestHead head = request.head;
  head.path = "/changed";
  EXPECT_EQ(code(head), "") << "the signature is compared when the body is there";
  EXPECT_EQ(code({}), "MissingAuthenticationTokenException");
  head.headers = {{"Authorization", "Bearer wrong"}};
  EXPECT_EQ(code(head), "UnrecognizedClientException");
  head.headers = {{"Authorization", std::string("Bearer ") + kToken}};
  EXPECT_EQ(code(head), "");
  head.headers = {{"Authorization", "AWS4-HMAC-SHA256 nonsense"}};
  EXPECT_EQ(code(head), "IncompleteSignatureException");
  now_ += std::chrono::hours(1);
  EXPECT_EQ(code(request.head), "RequestExpired");
  ring_.keys.clear();
  EXPECT_EQ(code(request.head), "UnrecognizedClientException");
}

TEST_F(KeyringTest, TellsWhatMakesARequestUnique) {
  const Captured request = ReadCaptured("s3_put_object");
  EXPECT_EQ(CodeOf(request), "");
  EXPECT_EQ(identity_.signature,
            "75248d11ee5a7676e87b9598e0c8d8f58b810fc43aaae2b325ebd88f86a03fc9");
  EXPECT_FALSE(identity_.chunks.has_value());
  EXPECT_EQ(CodeOf(ReadCaptured("s3_presigned_get").head, ""), "");
  EXPECT_EQ(identity_.signature, "") << "links may be followed more than once";
}

TEST_F(KeyringTest, AServiceThatIsReadOnlyLetsEverybodyReadOnly) {
  ring_.keys[0].scopes = kAllScopes;
  ring_.read_only = true;
  EXPECT_EQ(CodeOf(ReadCaptured("boto3_stop_training_job")), "");
  EXPECT_TRUE(identity_.May(Scope::kRead));
  EXPECT_FALSE(identity_.May(Scope::kWrite));
  http::RequestHead head;
  head.headers = {{"Authorization", fmt::format("Bearer {}", kToken)}};
  EXPECT_EQ(CodeOf(head, ""), "");
  EXPECT_FALSE(identity_.May(Scope::kWrite));
  EXPECT_FALSE(identity_.May(Scope::kExec));
  EXPECT_EQ(identity_.WhyNot(Scope::kWrite),
            "this service is read-only: it was started with --read-only");
}

}  // namespace
}  // namespace warden::auth
