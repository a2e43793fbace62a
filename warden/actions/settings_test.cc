#include "warden/actions/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "warden/actions/actions_for_test.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::actions {
namespace {

using Variables = std::map<std::string, std::string>;

Result<Settings> Load(const std::string& path, const Variables& variables = {}) {
  return LoadSettings(path, [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string Refusal(const std::string& path, const Variables& variables = {}) {
  const auto settings = Load(path, variables);
  return settings.ok() ? "accepted" : settings.status().message();
}

void LetOthersRead(const std::string& path) {
  std::filesystem::permissions(path, std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
}

TEST(SettingsTest, HasDefaults) {
  const Settings settings = Load("").value();
  EXPECT_EQ(settings.smtp.url, "");
  EXPECT_EQ(settings.smtp.starttls, SmtpSettings::StartTls::kRequired);
  EXPECT_EQ(settings.aws.sns_endpoint, "");
  EXPECT_EQ(settings.prometheus_listen, "127.0.0.1:9464");
  EXPECT_EQ(settings.grace, std::chrono::seconds(30));
}

TEST(SettingsTest, TheEnvironmentWinsOverTheFile) {
  const os::TempFolder folder;
  const std::string path = folder.Write("actions.json", R"({
    "smtp": {"url": "smtp://mail.example.com:587", "user": "me", "password": "word",
             "from": "warden@example.com", "starttls": "optional"},
    "aws": {"region": "eu-west-1", "secret_key": "key"},
    "stop": {"grace_seconds": 2.5}})");
  const Settings settings =
      Load("",
           {{"WARDEN_ACTIONS_FILE", path}, {"WARDEN_SMTP_PASSWORD", "other"}, {"AWS_REGION", ""}})
          .value();
  EXPECT_EQ(settings.smtp.url, "smtp://mail.example.com:587");
  EXPECT_EQ(settings.smtp.starttls, SmtpSettings::StartTls::kOptional);
  EXPECT_EQ(settings.smtp.user, "me");
  EXPECT_EQ(settings.smtp.password.Reveal(), "other");
  EXPECT_EQ(settings.aws.region, "eu-west-1");
  EXPECT_EQ(settings.aws.secret_key.Reveal(), "key");
  EXPECT_EQ(settings.grace, std::chrono::milliseconds(2500));
}

TEST(SettingsTest, RefusesAFileWithASecretThatOthersMayRead) {
  const os::TempFolder folder;
  const std::string path = folder.Write("actions.json", R"({"smtp": {"password": "hunter2"}})");
  EXPECT_TRUE(Load(path).ok());
  LetOthersRead(path);
  const std::string refusal = Refusal(path);
  EXPECT_NE(refusal.find("chmod 600"), std::string::npos) << refusal;
  EXPECT_EQ(refusal.find("hunter2"), std::string::npos);
  // Without a secret in it there is nothing to hide.
  const std::string open = folder.Write("open.json", R"({"smtp": {"url": "smtps://h"}})");
  LetOthersRead(open);
  EXPECT_TRUE(Load(open).ok());
}

TEST(SettingsTest, SaysWhatItRefusesAndNoSecret) {
  const os::TempFolder folder;
  const auto file = [&](std::string_view text) { return Refusal(folder.Write("f.json", text)); };
  EXPECT_NE(file(R"({"smtp": {"passwrd": "hunter2"}})").find("smtp.password"), std::string::npos);
  EXPECT_NE(file(R"({"smtp": "x"})").find("unknown setting 'smtp'"), std::string::npos);
  EXPECT_NE(file("[]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(file(R"({"smtp": {"password": ["hunter2"]}})").find("smtp.password is not a string"),
            std::string::npos);
  for (const char* text : {R"({"smtp": {"password": "hunter2)", R"({"a": hunter2})"}) {
    EXPECT_NE(file(text).find("invalid JSON at byte"), std::string::npos) << file(text);
    EXPECT_EQ(file(text).find("hunter2"), std::string::npos) << file(text);
  }
  EXPECT_NE(Refusal(folder.File("none.json")).find("does not exist"), std::string::npos);
  EXPECT_NE(Refusal("", {{"WARDEN_SMTP_URL", "http://host"}}).find("smtp://"), std::string::npos);
  EXPECT_NE(Refusal("", {{"WARDEN_SMTP_URL", "smtp://u:p@host"}}).find("user"), std::string::npos);
  EXPECT_NE(Refusal("", {{"WARDEN_SMTP_FROM", "a\r\nb"}}).find("not an email address"),
            std::string::npos);
  EXPECT_NE(Refusal("", {{"WARDEN_SMTP_STARTTLS", "yes"}}).find("required"), std::string::npos);
  EXPECT_NE(Refusal("", {{"WARDEN_STOP_GRACE", "-1"}}).find("seconds"), std::string::npos);
}

TEST(SecretFileTest, IsReadOnlyWherePrivate) {
  const os::TempFolder folder;
  const std::string path = folder.Write("key", "word\n");
  EXPECT_EQ(os::ReadSecretFile(path).value().Reveal(), "word");
  LetOthersRead(path);
  EXPECT_EQ(os::ReadSecretFile(path).status().code(), Code::kInvalid);
  EXPECT_EQ(os::ReadSecretFile(folder.Write("empty", "\n")).status().code(), Code::kInvalid);
  EXPECT_EQ(os::ReadSecretFile(folder.File("none")).status().code(), Code::kNotFound);
  EXPECT_EQ(os::ReadSecretFile("/").status().code(), Code::kInvalid);
}

}  // namespace
}  // namespace warden::actions
