#include "warden/auth/credentials_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "warden/actions/actions_for_test.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::auth {
namespace {

TEST(CredentialsFileTest, ReadsProfiles) {
  const auto keys = ParseCredentials(
      "\xEF\xBB\xBF# comment\n"
      "; another\n"
      "[default]\r\n"
      "aws_access_key_id=AKIDEXAMPLE\r\n"
      "aws_secret_access_key = wJalr=XUtn#FEMI ; not a comment\n"
      "region = us-east-1\n"
      "s3 =\n"
      "    max_concurrent_requests = 20\n"
      "    aws_secret_access_key = ignored\n"
      "\n"
      "[ profile only ]\n"
      "output = json\n"
      "[reader]\n"
      "  AWS_Access_Key_Id : READER\n"
      "  aws_secret_access_key : secret\n"
      "  warden_scopes = read , exec\n"
      "  warden_account = 123456789012\n"
      "  aws_session_token = session",
      "file");
  ASSERT_TRUE(keys.ok()) << keys.status().message();
  ASSERT_EQ(keys.value().size(), 2U);
  const AccessKey& first = keys.value()[0];
  EXPECT_EQ(first.id, "AKIDEXAMPLE");
  EXPECT_EQ(first.secret.Reveal(), "wJalr=XUtn#FEMI ; not a comment");
  EXPECT_EQ(first.scopes, kAllScopes);
  EXPECT_EQ(first.account, "");
  EXPECT_TRUE(first.session_token.empty());
  const AccessKey& second = keys.value()[1];
  EXPECT_EQ(second.id, "READER");
  EXPECT_EQ(second.scopes, 1 | 4);
  EXPECT_EQ(second.account, "123456789012");
  EXPECT_EQ(second.session_token.Reveal(), "session");
}

struct Bad {
  const char* text;
  const char* says;
};

TEST(CredentialsFileTest, SaysWhatIsWrongAndWhere) {
  const Bad cases[] = {
      {"", "F has no access key"},
      {"[default]\nregion = x\n", "F has no access key"},
      {"aws_access_key_id = A\n", "F, line 1: setting before the first profile"},
      {"\n[default\n", "F, line 2: invalid profile name"},
      {"[]\n", "F, line 1: invalid profile name"},
      {"[\n", "F, line 1: invalid profile name"},
      {"[a]\nTOPSECRET\n", "F, line 2: expected a setting"},
      {"[a]\n= TOPSECRET\n", "F, line 2: expected a setting"},
      {"[a]\naws_access_key_id =\n", "F, line 2: aws_access_key_id has no value"},
      {"[a]\naws_access_key_id = A/B\n", "F, line 2: aws_access_key_id: invalid access key"},
      {"[a]\naws_access_key_id = A\n[b]\n", "F, line 1: profile \"a\" has no aws_secret"},
      {"[a]\naws_secret_access_key = TOPSECRET", "F, line 1: profile \"a\" has no aws_access"},
      {"[a]\n[a]\n", "F, line 2: duplicate profile \"a\""},
      {"[a]\nwarden_scopes=read\nwarden_scopes=read\n",
       "F, line 3: duplicate setting warden_scopes"},
      {"[a]\nwarden_scopes = read,all\n", "F, line 2: warden_scopes: unknown scope \"all\""},
      {"[a]\nwarden_scopes = ,\n", "F, line 2: warden_scopes: no scope given"},
      {"[a]\nwarden_account = 12\n", "F, line 2: warden_account: account is \"12\""},
      {"[a]\nwarden_jobs = ,\n", "F, line 2: warden_jobs: no prefix given"},
      {"[a]\nwarden_jobs = a,b*\n", "F, line 2: warden_jobs: invalid prefix \"b*\""},
      {"[a]\nwarden_buckets = Team-\n", "F, line 2: warden_buckets: invalid prefix \"Team-\""},
      {"[a]\nwarden_bucket = team-\n", "F, line 2: unknown setting warden_bucket; expected"},
      {"[a]\naws_access_key_id=A\naws_secret_access_key=B\nwarden_jobs = a\n",
       "F, line 1: profile \"a\" has warden_jobs but no warden_buckets"},
      {"[a]\naws_access_key_id=A\naws_secret_access_key=B\nwarden_buckets = a\n[b]\n",
       "F, line 1: profile \"a\" has warden_buckets but no warden_jobs"},
      {"[a]\naws_secret_access_key = A\n TOPSECRET\n", "F, line 3: aws_secret_access_key has more"},
      {"[a]\naws_access_key_id=A\naws_secret_access_key=B\n"
       "[b]\naws_access_key_id=A\naws_secret_access_key=C\n",
       "F, line 4: the access key of profile \"b\" is used twice"},
  };
  for (const Bad& bad : cases) {
    const auto keys = ParseCredentials(bad.text, "F");
    ASSERT_FALSE(keys.ok()) << bad.text;
    EXPECT_EQ(keys.status().code(), Code::kInvalid);
    EXPECT_TRUE(keys.status().message().starts_with(bad.says)) << keys.status().message();
    EXPECT_EQ(keys.status().message().find("TOPSECRET"), std::string::npos);
  }
}

TEST(CredentialsFileTest, ReadsLimits) {
  const auto keys = ParseCredentials(
      "[a]\naws_access_key_id=A\naws_secret_access_key=B\n"
      "warden_jobs = team-a-, Shared\nwarden_buckets = team-a-,data.2\n"
      "[b]\naws_access_key_id=C\naws_secret_access_key=D\n",
      "F");
  ASSERT_TRUE(keys.ok()) << keys.status().message();
  const KeyLimits& limits = keys.value()[0].limits;
  EXPECT_TRUE(limits.Any());
  EXPECT_TRUE(limits.AllowJob("team-a-1"));
  EXPECT_TRUE(limits.AllowJob("Shared"));
  EXPECT_TRUE(limits.AllowBucket("data.2x"));
  for (const char* name : {"team-a", "team-ab-1", "TEAM-A-1", "shared", " team-a-1", ""}) {
    EXPECT_FALSE(limits.AllowJob(name)) << name;
  }
  EXPECT_FALSE(limits.AllowBucket("Shared"));
  EXPECT_FALSE(limits.AllowBucket(""));
  // The limits of one profile are not those of the next.
  EXPECT_FALSE(keys.value()[1].limits.Any());
  EXPECT_TRUE(keys.value()[1].limits.AllowJob("anything"));
}

TEST(CredentialsFileTest, RefusesFilesThatOthersMayRead) {
  const os::TempFolder folder;
  const std::string path =
      folder.Write("credentials", "[a]\naws_access_key_id = A\naws_secret_access_key = B\n");
  EXPECT_TRUE(ReadCredentials(path).ok());
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  EXPECT_EQ(ReadCredentials(path).status().code(), Code::kInvalid);
  EXPECT_EQ(ReadCredentials(folder.File("absent")).status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace warden::auth
