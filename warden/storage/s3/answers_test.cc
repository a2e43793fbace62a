#include "warden/storage/s3/answers.h"

#include <gtest/gtest.h>

#include "warden/storage/s3/credential_answers.h"

namespace warden::storage::s3 {
namespace {

Answer Of(long status, std::string_view text) {
  Answer answer;
  answer.status = status;
  const Bytes bytes = AsBytes(text);
  answer.body.assign(bytes.begin(), bytes.end());
  return answer;
}

TEST(AnswersTest, APageOfAList) {
  const auto page = PageIn(
      Of(200,
         "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"u\"><EncodingType>url</EncodingType>"
         "<IsTruncated>true</IsTruncated><NextContinuationToken>t&amp;1</NextContinuationToken>"
         "<Contents><Key>a%2Fb+c%2B</Key><ETag>&quot;e&quot;</ETag><Size>12</Size></Contents>"
         "<Contents><Key>d</Key></Contents>"
         "<CommonPrefixes><Prefix>a%2Fe+f%2F</Prefix></CommonPrefixes></ListBucketResult>"));
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page.value().objects.size(), 2u);
  EXPECT_EQ(page.value().objects[0].key, "a/b c+");
  EXPECT_EQ(page.value().objects[0].etag, "\"e\"");
  EXPECT_EQ(page.value().objects[0].size, 12u);
  EXPECT_EQ(page.value().folders, std::vector<std::string>{"a/e f/"});
  EXPECT_EQ(page.value().next, "t&1");
  const auto plain =
      PageIn(Of(200, "<ListBucketResult><Contents><Key>a%2B+</Key></Contents></ListBucketResult>"));
  EXPECT_EQ(plain.value().objects[0].key, "a%2B+");
  EXPECT_EQ(plain.value().next, "");
  EXPECT_EQ(PageIn(Of(200, "<html>a proxy</html>")).status().code(), Code::kCorrupt);
  EXPECT_EQ(PageIn(Of(200, "")).status().code(), Code::kCorrupt);
}

TEST(AnswersTest, Errors) {
  const S3Error error =
      ErrorIn(Of(404, "<Error><Code>NoSuchKey</Code><Message>gone</Message></Error>"));
  EXPECT_EQ(error.code, "NoSuchKey");
  EXPECT_EQ(error.message, "gone");
  EXPECT_EQ(ErrorIn(Of(502, "<html>bad gateway")).code, "");
  EXPECT_EQ(ErrorIn(Of(404, "")).code, "");
}

TEST(AnswersTest, Ranges) {
  EXPECT_EQ(SizeInRange("bytes 0-9/1234"), 1234u);
  EXPECT_EQ(SizeInRange("bytes */0"), 0u);
  EXPECT_EQ(SizeInRange("bytes 0-9/*"), std::nullopt);
  EXPECT_EQ(SizeInRange(""), std::nullopt);
}

TEST(CredentialAnswersTest, OfRolesAndWebIdentities) {
  const auto role = CredentialsInJson(
      R"({"Code": "Success", "AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T",
          "Expiration": "2026-01-31T12:00:30Z"})",
      "role x");
  ASSERT_TRUE(role.ok());
  EXPECT_EQ(role.value().session_token, "T");
  EXPECT_EQ(IsoSeconds(role.value().expires.value()), "2026-01-31T12:00:30Z");
  const auto web = CredentialsInXml(
      "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
      "<AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey>"
      "<SessionToken>T</SessionToken><Expiration>2026-01-31T12:00:30.123Z</Expiration>"
      "</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>",
      "STS");
  ASSERT_TRUE(web.ok());
  EXPECT_EQ(web.value().access_key, "A");
  EXPECT_EQ(IsoSeconds(web.value().expires.value()), "2026-01-31T12:00:30Z");
  for (const char* bad : {"", "[]", "{}", R"({"AccessKeyId": 1, "SecretAccessKey": "s3cr3t"})"}) {
    const Status status = CredentialsInJson(bad, "role x").status();
    EXPECT_EQ(status.code(), Code::kInvalid) << bad;
    EXPECT_EQ(status.message().find("s3cr3t"), std::string::npos);
    EXPECT_FALSE(CredentialsInXml(bad, "STS").ok());
  }
  EXPECT_FALSE(ParseIsoTime("yesterday"));
  EXPECT_FALSE(ParseIsoTime("2026-13-31T12:00:30Z"));
}

}  // namespace
}  // namespace warden::storage::s3
