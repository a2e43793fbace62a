#include "warden/storage/s3/server_settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/s3/credentials.h"
#include "warden/storage/s3/s3_store.h"
#include "warden/storage/s3_location.h"

namespace warden::storage::s3 {
namespace {

Variables Given(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

TEST(LocationTest, HasABucketAndAFolder) {
  const Location deep = ParseLocation("s3://my-bucket/a/b").value();
  EXPECT_EQ(deep.bucket, "my-bucket");
  EXPECT_EQ(deep.prefix, "a/b/");
  EXPECT_EQ(ParseLocation("s3://my-bucket/a/b/").value().prefix, "a/b/");
  EXPECT_EQ(ParseLocation("s3://my-bucket").value().prefix, "");
  EXPECT_EQ(ParseLocation("s3://my-bucket/").value().prefix, "");
  for (const char* bad : {"s3:", "s3://", "s3:///a", "s3:/b", "/a", "s3://b/a//c", "s3://b/../c",
                          "s3://b@evil/c", "s3://b:1/c", "s3://b?x/c"}) {
    EXPECT_EQ(ParseLocation(bad).status().code(), Code::kInvalid) << bad;
  }
}

TEST(ProfilesTest, AreReadAsAmazonWritesThem) {
  const auto profiles = ParseProfiles(
      "# comment\nlost = 1\n[default]\nregion=eu-west-1\n\n[profile  big one]\r\n"
      "AWS_Access_Key_ID = A=B \ns3 =\n    addressing_style = path\n  max_queue_size=3\n"
      "region = x\n;no\n[broken\na = b\n");
  EXPECT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles.at("default").at("region"), "eu-west-1");
  const Profile& big = profiles.at("profile big one");
  EXPECT_EQ(big.at("aws_access_key_id"), "A=B");
  EXPECT_EQ(big.at("s3.addressing_style"), "path");
  EXPECT_EQ(big.at("region"), "x");
}

class SettingsTest : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
  }
  std::map<std::string, std::string> Files() const {
    return {{"AWS_CONFIG_FILE", (folder_.path() / "config").string()},
            {"AWS_SHARED_CREDENTIALS_FILE", (folder_.path() / "credentials").string()},
            {"AWS_EC2_METADATA_DISABLED", "true"}};
  }
  static Result<Settings> Read(const std::map<std::string, std::string>& variables) {
    return ReadSettings(Given(variables), ReadProfile(Given(variables)));
  }
  static Result<Credentials> Keys(const std::map<std::string, std::string>& variables) {
    CredentialSource source(Given(variables), ReadProfile(Given(variables)), "us-east-1");
    return source.Get();
  }

  os::TempFolder folder_;
};

TEST_F(SettingsTest, AreAmazonsByDefault) {
  const Settings settings = Read(Files()).value();
  EXPECT_EQ(settings.region, "us-east-1");
  EXPECT_EQ(BucketUrl(settings, "runs"), "https://runs.s3.us-east-1.amazonaws.com");
  EXPECT_EQ(BucketUrl(settings, "my.runs"), "https://s3.us-east-1.amazonaws.com/my.runs");
  auto variables = Files();
  variables["AWS_DEFAULT_REGION"] = "cn-north-1";
  EXPECT_EQ(BucketUrl(Read(variables).value(), "runs"),
            "https://runs.s3.cn-north-1.amazonaws.com.cn");
}

TEST_F(SettingsTest, ComeFromVariablesBeforeFiles) {
  Write("config",
        "[default]\nregion = eu-west-1\nendpoint_url = http://file:1/\nservices = mine\n"
        "[services mine]\ns3 =\n  endpoint_url = http://service:2\n"
        "[profile other]\nregion = eu-west-2\ns3 =\n addressing_style = virtual\n");
  auto variables = Files();
  EXPECT_EQ(Read(variables).value().endpoint, "http://service:2");
  EXPECT_EQ(BucketUrl(Read(variables).value(), "runs"), "http://service:2/runs");
  EXPECT_EQ(Read(variables).value().region, "eu-west-1");
  variables["AWS_PROFILE"] = "other";
  EXPECT_EQ(Read(variables).value().region, "eu-west-2");
  variables["AWS_ENDPOINT_URL"] = "http://all:3/";
  EXPECT_EQ(BucketUrl(Read(variables).value(), "runs"), "http://runs.all:3");
  variables["AWS_ENDPOINT_URL_S3"] = "https://s3:4";
  EXPECT_EQ(Read(variables).value().endpoint, "https://s3:4");
  variables["WARDEN_S3_ADDRESSING"] = "path";
  EXPECT_EQ(BucketUrl(Read(variables).value(), "runs"), "https://s3:4/runs");
  variables["AWS_REGION"] = "eu-west-3";
  EXPECT_EQ(Read(variables).value().region, "eu-west-3");
  variables["WARDEN_S3_KMS_KEY"] = "alias/mine";
  EXPECT_EQ(Read(variables).value().encryption, "aws:kms");
}

TEST_F(SettingsTest, NameWhatIsNotAccepted) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"AWS_REGION", "a/b"},
                                          {"AWS_ENDPOINT_URL", "ftp://host"},
                                          {"AWS_ENDPOINT_URL_S3", "http://me:secret@host"},
                                          {"AWS_MAX_ATTEMPTS", "many"},
                                          {"WARDEN_S3_ADDRESSING", "host"},
                                          {"WARDEN_S3_ENCRYPTION", "rot13"}}) {
    auto variables = Files();
    variables[name] = value;
    const Status status = Read(variables).status();
    EXPECT_EQ(status.code(), Code::kInvalid) << name;
    EXPECT_NE(status.message().find(name.substr(0, 10)), std::string::npos) << status.message();
    EXPECT_EQ(status.message().find("secret"), std::string::npos) << status.message();
    EXPECT_EQ(OpenS3Store("s3://runs/a", Given(variables)).status().code(), Code::kInvalid);
  }
}

TEST_F(SettingsTest, KeysComeFromVariablesThenFromTheProfile) {
  Write("credentials",
        "[default]\naws_access_key_id = file\naws_secret_access_key = s1\n"
        "[other]\naws_access_key_id = second\naws_secret_access_key = s2\n"
        "aws_session_token = t2\n");
  Write("config", "[profile sso]\nsso_start_url = https://x\n");
  auto variables = Files();
  EXPECT_EQ(Keys(variables).value().access_key, "file");
  variables["AWS_PROFILE"] = "other";
  EXPECT_EQ(Keys(variables).value().access_key, "second");
  EXPECT_EQ(Keys(variables).value().session_token, "t2");
  variables["AWS_PROFILE"] = "sso";
  EXPECT_NE(Keys(variables).status().message().find("sso_start_url"), std::string::npos);
  variables["AWS_PROFILE"] = "none";
  EXPECT_NE(Keys(variables).status().message().find("AWS_PROFILE is \"none\""), std::string::npos);
  variables["AWS_ACCESS_KEY_ID"] = "variable";
  variables["AWS_SECRET_ACCESS_KEY"] = "s3";
  EXPECT_EQ(Keys(variables).value().access_key, "variable");
}

TEST_F(SettingsTest, WithoutKeysItSaysWhereToPutThem) {
  const Status status = Keys(Files()).status();
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_NE(status.message().find("set AWS_ACCESS_KEY_ID"), std::string::npos);
  auto variables = Files();
  variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/nowhere/token";
  EXPECT_NE(Keys(variables).status().message().find("AWS_ROLE_ARN"), std::string::npos);
  variables["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/x";
  EXPECT_NE(Keys(variables).status().message().find("/nowhere/token"), std::string::npos);
}

}  // namespace
}  // namespace warden::storage::s3
