#include "warden/s3/post.h"

#include "warden/auth/access_key.h"
#include "warden/net/digest.h"
#include "warden/s3/post_policy.h"
#include "warden/s3/s3_for_test.h"

namespace warden::s3 {
namespace {

// Takes any policy for signed by who its field "signed-by" names.
class FormKeys final : public auth::Authenticator {
 public:
  auth::KeyLimits limits;  // Of whoever signs a form.

  auth::Verdict Check(const http::RequestHead&, std::string_view) const override {
    return auth::Identity{"owner", "123456789012", "us-east-1", auth::kAllScopes};
  }
  auth::Verdict CheckForm(const QueryPairs& fields) const override {
    uint8_t scopes = auth::kAllScopes;
    for (const auto& [name, value] : fields) {
      if (name != "x-ignore-signer") continue;
      if (value == "forger") return auth::Refusal{"InvalidSignatureException", "wrong"};
      if (value == "reader") scopes = static_cast<uint8_t>(auth::Scope::kRead);
    }
    auth::Identity identity{"signer", "123456789012", "us-east-1", scopes};
    identity.limits = limits;
    return identity;
  }
  void Record(const auth::Identity& identity, const auth::Deed& deed) const override {
    deeds.push_back(identity.access_key + " " + deed.resource + " " + deed.outcome);
  }
  mutable std::vector<std::string> deeds;
};

constexpr char kConditions[] =
    R"([{"bucket": "bucket"}, ["starts-with", "$key", "user/"], ["eq", "$x-amz-meta-tag", "t"],
        ["starts-with", "$Content-Type", "text/"], {"success_action_status": "201"},
        ["content-length-range", 2, 10]])";

class PostTest : public S3Test {
 protected:
  PostTest() {
    s3_ = MakeS3(&options_, &form_keys_);
    std::filesystem::create_directories(folder_.path() / "uploads");
    Send("PUT", "/bucket");
    fields_ = {{"key", "user/${filename}"},
               {"Content-Type", "text/x"},
               {"x-amz-meta-tag", "t"},
               {"success_action_status", "201"}};
    SetPolicy(kConditions);
  }

  void SetPolicy(const std::string& conditions,
                 const std::string& expiration = "2099-01-01T00:00:00.000Z") {
    policy_ =
        net::Base64(R"({"expiration": ")" + expiration + R"(", "conditions": )" + conditions + "}");
  }
  void Set(const std::string& name, const std::string& value) {
    for (auto& [field, old] : fields_) {
      if (field == name) old = value;
    }
  }
  Answer Post(const std::string& file, const std::string& target = "/bucket") {
    std::string body;
    QueryPairs all = fields_;
    all.emplace_back("policy", policy_);
    for (const auto& [name, value] : all) {
      body +=
          "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }
    body += "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a b.txt\"\r\n\r\n" +
            file + "\r\n--XX--\r\n";
    http::RequestHead head;
    head.method = "POST";
    head.path = target;
    head.headers = {{"Content-Type", "multipart/form-data; boundary=XX"}};
    const auto exchange = s3_->Begin(head);
    for (size_t at = 0; at < body.size(); at += 50) {
      if (!exchange->Take(std::string_view(body).substr(at, 50))) break;
    }
    const http::Response response = exchange->Answer();
    Answer answer;
    answer.status = response.status;
    answer.headers = response.headers;
    answer.body = response.body;
    return answer;
  }
  // The code of the error; empty if it was stored.
  std::string CodeOf(const std::string& file = "hello", const std::string& target = "/bucket") {
    const Answer answer = Post(file, target);
    const size_t at = answer.body.find("<Code>");
    if (at == std::string::npos) return "";
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "uploads")) << "nothing is left";
    return answer.body.substr(at + 6, answer.body.find('<', at + 6) - at - 6);
  }

  FormKeys form_keys_;
  QueryPairs fields_;
  std::string policy_;
};

TEST_F(PostTest, StoresTheFileOfAForm) {
  const Answer answer = Post("hello");
  EXPECT_EQ(answer.status, 201) << answer.body;
  EXPECT_TRUE(answer.Has("<Key>user/a b.txt</Key>"));
  EXPECT_EQ(answer.Header("Location"), "/bucket/user/a%20b.txt");
  const Answer stored = Send("GET", "/bucket/user/a%20b.txt");
  EXPECT_EQ(stored.body, "hello");
  EXPECT_EQ(stored.Header("x-amz-meta-tag"), "t");
  EXPECT_EQ(stored.Header("content-type"), "text/x");
  EXPECT_EQ(stored.Header("ETag"), "\"5d41402abc4b2a76b9719d911017c592\"");
}

TEST_F(PostTest, AnswersAsTheFormSays) {
  fields_ = {{"key", "user/k"}};
  SetPolicy(R"([{"bucket": "bucket"}, {"key": "user/k"}])");
  EXPECT_EQ(Post("x").status, 204);
  fields_ = {{"key", "k"}, {"success_action_redirect", "https://example.org/done?a=1"}};
  SetPolicy(R"([{"bucket": "bucket"}, {"key": "k"},
                ["starts-with", "$success_action_redirect", ""]])");
  const Answer answer = Post("x");
  EXPECT_EQ(answer.status, 303);
  EXPECT_EQ(answer.Header("Location"),
            "https://example.org/done?a=1&bucket=bucket&key=k&etag="
            "%229dd4e461268c8034f5c8564e155c67a6%22");
  Set("success_action_redirect", "javascript:alert(1)");
  EXPECT_EQ(Post("x").status, 204);
}

TEST_F(PostTest, KeepsToThePolicy) {
  EXPECT_EQ(CodeOf("x"), "EntityTooSmall");
  EXPECT_EQ(CodeOf("01234567890"), "EntityTooLarge");
  Set("key", "other/k");
  EXPECT_EQ(CodeOf(), "AccessDenied");
  Set("key", "user/../../x");
  EXPECT_EQ(CodeOf(), "") << "a key like any other";
  Set("x-amz-meta-tag", "T");
  EXPECT_EQ(CodeOf(), "AccessDenied");
  Set("x-amz-meta-tag", "t");
  Set("Content-Type", "image/png");
  EXPECT_EQ(CodeOf(), "AccessDenied");
  Set("Content-Type", "text/x");
  fields_.emplace_back("x-amz-meta-more", "1");
  EXPECT_EQ(CodeOf(), "AccessDenied") << "a field that the policy does not know";
  fields_.pop_back();
  fields_.emplace_back("bucket", "other");
  EXPECT_EQ(CodeOf(), "") << "the address counts";
  Send("PUT", "/another");
  EXPECT_EQ(CodeOf("hello", "/another"), "AccessDenied");
}

TEST_F(PostTest, EndsWithItsTime) {
  SetPolicy(kConditions, "2020-01-01T00:00:00Z");
  const Answer answer = Post("hello");
  EXPECT_EQ(answer.status, 403);
  EXPECT_TRUE(answer.Has("Policy expired"));
}

TEST_F(PostTest, RefusesPoliciesThatCannotBeRead) {
  for (const char* conditions :
       {"1", "{}", "[1]", "[[]]", R"([["eq", "key", "x"]])", R"([["like", "$key", "x"]])",
        R"([{"key": 1}])", R"([["content-length-range", -1, 2]])", R"([["eq", "$key"]])"}) {
    SetPolicy(conditions);
    EXPECT_EQ(CodeOf(), "InvalidPolicyDocument") << conditions;
  }
  for (const char* policy : {"%%%%", "abc", "e30=", "bm90IGpzb24=", "===="}) {
    policy_ = policy;
    EXPECT_EQ(CodeOf(), "InvalidPolicyDocument") << policy;
  }
  SetPolicy(kConditions, "tomorrow");
  EXPECT_EQ(CodeOf(), "InvalidPolicyDocument");
}

TEST_F(PostTest, OnlyIntoBucketsOfTheSigner) {
  form_keys_.limits = {.jobs = {"team-"}, .buckets = {"team-"}};
  EXPECT_EQ(CodeOf(), "AccessDenied");
  EXPECT_EQ(Send("GET", "/bucket/user/a%20b.txt").status, 404);
  form_keys_.limits.buckets = {"buck"};
  EXPECT_EQ(CodeOf(), "");
}

TEST_F(PostTest, OnlyForThoseWhoMayWrite) {
  fields_.emplace_back("x-ignore-signer", "forger");
  EXPECT_EQ(CodeOf(), "SignatureDoesNotMatch");
  Set("x-ignore-signer", "reader");
  EXPECT_EQ(CodeOf(), "AccessDenied");
  Set("x-ignore-signer", "owner");
  EXPECT_EQ(CodeOf(), "");
  EXPECT_EQ(CodeOf("hello", "/bucket/key"), "MethodNotAllowed");
  EXPECT_EQ(CodeOf("hello", "/none"), "NoSuchBucket");
  fields_.erase(fields_.begin());
  EXPECT_EQ(CodeOf(), "InvalidArgument") << "no key";
}

TEST_F(PostTest, WhatIsRefusedIsRecordedToo) {
  form_keys_.deeds.clear();
  fields_.emplace_back("x-ignore-signer", "forger");
  EXPECT_EQ(CodeOf(), "SignatureDoesNotMatch");
  EXPECT_TRUE(form_keys_.deeds.empty()) << "nobody knows who sent it";
  Set("x-ignore-signer", "reader");
  EXPECT_EQ(CodeOf(), "AccessDenied");
  Set("x-ignore-signer", "owner");
  EXPECT_EQ(CodeOf(), "");
  EXPECT_EQ(form_keys_.deeds, (std::vector<std::string>{"signer bucket/ AccessDenied",
                                                        "signer bucket/user/a b.txt ok"}));
}

}  // namespace
}  // namespace warden::s3
