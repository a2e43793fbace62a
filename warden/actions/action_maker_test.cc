#include "warden/actions/action_maker.h"

#include <gtest/gtest.h>

#include "warden/actions/actions_for_test.h"
#include "warden/actions/aws_query.h"
#include "warden/actions/sms.h"

namespace warden::actions {
namespace {

std::string Refusal(const Settings& settings, const ActionConfig& config) {
  ActionMaker maker(settings, nullptr);
  const Status status = maker.Check(std::span(&config, 1));
  return status.ok() ? "accepted" : status.message();
}

Settings Complete() {
  Settings settings;
  settings.smtp.url = "smtp://mail.example.com";
  settings.smtp.from = "warden@example.com";
  settings.aws.access_key = "key";
  settings.aws.secret_key = os::Secret("word");
  settings.aws.sns_endpoint = settings.aws.cloudwatch_endpoint = "http://127.0.0.1:1/";
  return settings;
}

TEST(ActionMakerTest, SaysWhatIsNotSet) {
  const PublishMetricConfig cloudwatch{PublishMetricConfig::Target::kCloudWatch, ""};
  EXPECT_EQ(Refusal({}, EmailConfig{"a@b.com"}),
            "email to a@b.com: no mail server configured; set WARDEN_SMTP_URL");
  EXPECT_NE(Refusal({}, SmsConfig{"+1234567"}).find("WARDEN_SNS_ENDPOINT"), std::string::npos);
  EXPECT_NE(Refusal({}, cloudwatch).find("WARDEN_CLOUDWATCH_ENDPOINT"), std::string::npos);
  EXPECT_NE(Refusal({}, StopTrainingConfig{}).find("cannot stop the job"), std::string::npos);
  EXPECT_NE(Refusal({}, WebhookConfig{"http://h/", "WARDEN_NO_SUCH_VARIABLE", ""})
                .find("WARDEN_NO_SUCH_VARIABLE"),
            std::string::npos);
  for (const ActionConfig& config : std::vector<ActionConfig>{
           EmailConfig{"a@b.com"}, SmsConfig{"+1234567"}, cloudwatch,
           WebhookConfig{"http://h/", "", ""}, ExecConfig{{"true"}, "", std::chrono::seconds(1)}}) {
    EXPECT_EQ(Refusal(Complete(), config), "accepted");
  }
  Settings no_keys = Complete();
  no_keys.aws.secret_key = os::Secret();
  EXPECT_NE(Refusal(no_keys, SmsConfig{"+1234567"}).find("AWS_SECRET_ACCESS_KEY"),
            std::string::npos);
}

TEST(ActionMakerTest, SendsNoPasswordInPlainTextOverANetwork) {
  Settings settings = Complete();
  settings.smtp.user = "me";
  settings.smtp.password = os::Secret("hunter2");
  EXPECT_EQ(Refusal(settings, EmailConfig{"a@b.com"}), "accepted");
  settings.smtp.starttls = SmtpSettings::StartTls::kOptional;
  const std::string refusal = Refusal(settings, EmailConfig{"a@b.com"});
  EXPECT_NE(refusal.find("without encryption"), std::string::npos);
  EXPECT_EQ(refusal.find("hunter2"), std::string::npos);
  settings.smtp.url = "smtps://mail.example.com";
  EXPECT_EQ(Refusal(settings, EmailConfig{"a@b.com"}), "accepted");
  settings.smtp.url = "smtp://127.0.0.1:25";
  EXPECT_EQ(Refusal(settings, EmailConfig{"a@b.com"}), "accepted");
}

TEST(ActionMakerTest, ServesMetricsFromTheFirstThatIsAskedFor) {
  Settings settings;
  settings.prometheus_listen = "127.0.0.1:0";
  ActionMaker maker(settings, nullptr);
  EXPECT_EQ(maker.metrics_port(), 0);
  ASSERT_TRUE(maker.Make(PublishMetricConfig{}).ok());
  const uint16_t port = maker.metrics_port();
  EXPECT_NE(port, 0);
  ASSERT_TRUE(maker.Make(PublishMetricConfig{}).ok());
  EXPECT_EQ(maker.metrics_port(), port);
}

TEST(ActionMakerTest, AnUnreachableServerIsToBeTriedAgain) {
  ActionMaker maker(Complete(), nullptr);
  // Nobody listens on port 1.
  for (const ActionConfig& config : std::vector<ActionConfig>{
           SmsConfig{"+1234567"}, WebhookConfig{"http://127.0.0.1:1/secret-path", "", ""}}) {
    const Status status = maker.Make(config).value()->Run(SomeFiring(), {}).status;
    EXPECT_EQ(status.code(), Code::kUnavailable) << status.message();
    EXPECT_TRUE(status.message().starts_with("http://127.0.0.1:1: ")) << status.message();
    EXPECT_EQ(status.message().find("secret-path"), std::string::npos);
  }
}

TEST(AwsQueryTest, EncodesForms) {
  EXPECT_EQ(FormEncoded({{"A", "b c&d=+~"}, {"M", "\xc3\xa4"}}), "A=b%20c%26d%3D%2B~&M=%C3%A4");
}

TEST(SmsTextTest, IsOneShortLine) {
  Firing firing = SomeFiring();
  firing.finding.message = "first\nsecond" + std::string(2000, 'x');
  const std::string text = SmsText(firing);
  EXPECT_TRUE(text.starts_with("SMDebugRule:VanishingGradient fired. "));
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.size(), 420U);
}

}  // namespace
}  // namespace warden::actions
