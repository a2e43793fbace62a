#include "warden/trial/run_origin.h"

#include <gtest/gtest.h>

#include <fstream>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::trial {
namespace {

TEST(RunOriginTest, NamesTellSecrets) {
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "--api-key", "DB_PASSWORD",
                           "WANDB_API_KEY", "--auth.token", "apikey"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
  for (const char* name : {"TOKENIZERS_PARALLELISM", "--monkey", "--key-dim", "--max-tokens",
                           "--pad-token-id", "--lr", "PATH"}) {
    EXPECT_FALSE(IsSecretName(name)) << name;
  }
}

TEST(RunOriginTest, SecretsOfCommandsAreMasked) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(WithoutSecrets({"python", "x.py", "--api-key", "s3cret", "--lr", "0.1",
                            "--password=abc", "TOKEN=abc", "--token", "--deep"}),
            (Words{"python", "x.py", "--api-key", "***", "--lr", "0.1", "--password=***",
                   "TOKEN=***", "--token", "--deep"}));
  EXPECT_EQ(WithoutSecrets({"a", "--url", "https://me:abc@host/x"}),
            (Words{"a", "--url", "https://me:***@host/x"}));
}

TEST(RunOriginTest, SecretsOfDiffsAreMasked) {
  EXPECT_EQ(DiffWithoutSecrets("@@ -1 +1,9 @@\n"
                               "-api_key = 'abc'\n"
                               "+api_key: str = \"a'bc\", lr=0.1\n"
                               "+os.environ[\"HF_TOKEN\"] = f\"abc\"\n"
                               "+  {\"password\": \"abc\", \"size\": \"10\"}\n"
                               "+connect(\"https://me:abc@host\", secret='abc')\n"
                               "+AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI0K7\n"
                               "+password: hunter2hunter2\n"),
            "@@ -1 +1,9 @@\n"
            "-api_key = '***'\n"
            "+api_key: str = \"***\", lr=0.1\n"
            "+os.environ[\"HF_TOKEN\"] = f\"***\"\n"
            "+  {\"password\": \"***\", \"size\": \"10\"}\n"
            "+connect(\"https://me:***@host\", secret='***')\n"
            "+AWS_SECRET_ACCESS_KEY=***\n"
            "+password: ***\n");
  for (const char* code :
       {"+key, subkey = jax.random.split(key)\n", "+for token in tokens[1:]: print(token)\n",
        "+x = sorted(y, key=lambda one: one.size1)\n", "+if token == 'end': stop()\n",
        "+auth: Optional[Auth] = None", "\n\n", "=", ":\"", "password=\"", "token = 12345\n"}) {
    EXPECT_EQ(DiffWithoutSecrets(code), code);
  }
}

TEST(RunOriginTest, PasswordsInAddressesAreMasked) {
  EXPECT_EQ(WithoutPasswords("a http://u:p@h:80/@ and https://h:80/x:y@z"),
            "a http://u:***@h:80/@ and https://h:80/x:y@z");
  EXPECT_EQ(WithoutPasswords("://"), "://");
  EXPECT_EQ(WithoutPasswords("ssh://git@host"), "ssh://git@host");
}

TEST(RunOriginTest, ComesBackWithoutWhatIsDamaged) {
  const os::TempFolder folder;
  const std::string run = folder.path().string();
  EXPECT_EQ(ReadRunOrigin(run), Json::object());
  const Json origin{{"command", {"python", "x.py"}}, {"git", {{"commit", "abc"}}}};
  ASSERT_TRUE(WriteRunOrigin(run, origin).ok());
  EXPECT_EQ(ReadRunOrigin(run), origin);
  std::ofstream(run + "/warden/origin.json") << R"({"command": 7, "directory": "/x", "more": 1})";
  EXPECT_EQ(ReadRunOrigin(run), (Json{{"directory", "/x"}}));
  std::ofstream(run + "/warden/origin.json") << "{";
  EXPECT_EQ(ReadRunOrigin(run), Json::object());
}

}  // namespace
}  // namespace warden::trial
