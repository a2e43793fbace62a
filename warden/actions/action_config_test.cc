#include "warden/actions/action_config.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::actions {
namespace {

std::string Dumped(const Result<ActionConfig>& config) {
  return config.ok() ? DumpLikePython(ToJson(config.value())) : config.status().message();
}

std::string Refusal(std::string_view text) {
  const auto configs = ParseActionJson(text);
  return configs.ok() ? "accepted" : configs.status().message();
}

TEST(ParseActionJsonTest, TakesWhatTheOriginalsLibrarySends) {
  const auto configs = ParseActionJson(
      R"([{\"name\": \"stoptraining\", \"training_job_prefix\": \"sdkdemo-2026\"}, )"
      R"({\"endpoint\": \"abc@abc.com\", \"name\": \"email\"}, )"
      R"({\"endpoint\": \"+1234567890\", \"name\": \"sms\"}])");
  ASSERT_TRUE(configs.ok()) << configs.status().message();
  ASSERT_EQ(configs.value().size(), 3U);
  EXPECT_EQ(std::get<StopTrainingConfig>(configs.value()[0]).prefix, "sdkdemo-2026");
  EXPECT_EQ(std::get<EmailConfig>(configs.value()[1]).address, "abc@abc.com");
  EXPECT_EQ(std::get<SmsConfig>(configs.value()[2]).number, "+1234567890");
}

TEST(ParseActionJsonTest, TakesPlainJsonAndKeepsCapitals) {
  const auto one =
      ParseActionJson(R"( {"name": "StopTraining", "training_job_prefix": "Demo-X"} )");
  ASSERT_TRUE(one.ok()) << one.status().message();
  EXPECT_EQ(std::get<StopTrainingConfig>(one.value()[0]).prefix, "Demo-X");
  const auto own = ParseActionJson(R"([{"name": "EMAIL", "endpoint": "First.Last@Abc.com"},
      {"name": "webhook", "url": "https://Host/Path", "secret_env": "KEY"},
      {"name": "exec", "command": ["Prog", "A b"], "timeout": 5},
      {"name": "publishmetric", "target": "CloudWatch", "namespace": "Mine"}])");
  ASSERT_TRUE(own.ok()) << own.status().message();
  EXPECT_EQ(std::get<EmailConfig>(own.value()[0]).address, "First.Last@Abc.com");
  EXPECT_EQ(std::get<WebhookConfig>(own.value()[1]).url, "https://Host/Path");
  EXPECT_EQ(std::get<ExecConfig>(own.value()[2]).words, (std::vector<std::string>{"Prog", "A b"}));
  EXPECT_EQ(std::get<ExecConfig>(own.value()[2]).timeout, std::chrono::seconds(5));
  EXPECT_EQ(std::get<PublishMetricConfig>(own.value()[3]).metric_namespace, "Mine");
}

TEST(ParseActionJsonTest, SurvivesARoundTrip) {
  for (const char* text :
       {R"({"name": "stoptraining"})", R"({"name": "stoptraining", "training_job_prefix": "A"})",
        R"({"name": "email", "endpoint": "a@b.com"})", R"({"name": "sms", "endpoint": "+1234567"})",
        R"({"name": "webhook", "url": "http://h/", "secret_file": "key"})",
        R"({"name": "exec", "command": "echo \"x\"", "timeout": 60})",
        R"({"name": "exec", "command": ["a", "b"], "timeout": 7})",
        R"({"name": "publishmetric", "target": "prometheus"})"}) {
    EXPECT_EQ(Dumped(ActionFromJson(ParseJson(text).value())), text);
  }
}

TEST(ParseActionJsonTest, SaysWhatItRefuses) {
  EXPECT_EQ(Refusal("[]"), "actions: the list is empty; expected at least one action");
  EXPECT_EQ(Refusal(R"({"name": "fax"})"),
            "unknown action 'fax'; expected one of: stoptraining, email, sms, webhook, exec, "
            "publishmetric");
  EXPECT_EQ(Refusal(R"({"name": "email", "endpoint": "nobody"})"),
            "action email: 'endpoint' is \"nobody\"; expected an address such as "
            "name@example.com");
  EXPECT_EQ(Refusal(R"({"name": "email"})"),
            "action email: 'endpoint' is missing; expected an address such as name@example.com");
  EXPECT_NE(Refusal(R"({"name": "sms", "endpoint": "12345678"})").find("7 to 15 digits"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "stoptraining", "training_job_prefix": "a b"})").find("\"a b\""),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "webhook", "url": "u", "secret_evn": "X"})").find("secret_env,"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "exec", "command": []})").find("'command' is missing"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "exec", "command": "x", "timeout": 0})").find("from 1"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"name": "publishmetric", "target": "x"})").find("prometheus"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"name": 5})").find("expected a string"), std::string::npos);
  EXPECT_NE(Refusal("5").find("a list of objects"), std::string::npos);
  for (const char* broken : {"", "{", R"([{\"name\": )", R"({\"name\": \"sms\"} \)"}) {
    EXPECT_NE(Refusal(broken).find("invalid JSON"), std::string::npos) << broken;
  }
}

TEST(ParseActionJsonTest, AnActionMayBeForSevereFindingsOnly) {
  const auto actions =
      ParseActionJson(R"([{"name": "email", "endpoint": "a@b.com", "severity": "Warning"},)"
                      R"({"name": "stoptraining"}])");
  ASSERT_TRUE(actions.ok()) << actions.status().message();
  EXPECT_EQ(LeastSeverity(actions.value()[0]), rules::Severity::kWarning);
  EXPECT_EQ(LeastSeverity(actions.value()[1]), rules::Severity::kNote);
  EXPECT_EQ(DumpLikePython(ToJson(actions.value()[0])),
            R"({"name": "email", "endpoint": "a@b.com", "severity": "warning"})");
  EXPECT_EQ(Refusal(R"({"name": "email", "endpoint": "a@b.com", "severity": "fatal"})"),
            "action email: unknown severity 'fatal'; expected one of: problem, warning, note");
  EXPECT_NE(Refusal(R"({"name": "stoptraining", "severity": 1})").find("expected a string"),
            std::string::npos);
}

TEST(ParseActionJsonTest, MessagesAreForPeopleAndPrograms) {
  for (const char* flag : {"email:a@b.com", "sms:+12223334444", "webhook:http://h", "exec:x"}) {
    EXPECT_TRUE(IsMessage(ParseActionFlag(flag).value())) << flag;
  }
  EXPECT_FALSE(IsMessage(ParseActionFlag("stop").value()));
  EXPECT_FALSE(IsMessage(ParseActionFlag("metric:prometheus").value()));
}

TEST(ParseActionFlagTest, KnowsEveryForm) {
  const auto flag = [](std::string_view text) { return Dumped(ParseActionFlag(text)); };
  EXPECT_EQ(flag("stop"), R"({"name": "stoptraining"})");
  EXPECT_EQ(flag("stop:Pre-1"), R"({"name": "stoptraining", "training_job_prefix": "Pre-1"})");
  EXPECT_EQ(flag("email:A@b.com"), R"({"name": "email", "endpoint": "A@b.com"})");
  EXPECT_EQ(flag("sms:+12223334444"), R"({"name": "sms", "endpoint": "+12223334444"})");
  EXPECT_EQ(flag("webhook:https://h:1/p"), R"({"name": "webhook", "url": "https://h:1/p"})");
  EXPECT_EQ(flag("exec:say a:b"), R"({"name": "exec", "command": "say a:b", "timeout": 60})");
  EXPECT_EQ(flag("metric:prometheus"), R"({"name": "publishmetric", "target": "prometheus"})");
  EXPECT_EQ(flag("metric:cloudwatch:My/Name"),
            R"({"name": "publishmetric", "target": "cloudwatch", "namespace": "My/Name"})");
}

TEST(ParseActionFlagTest, SaysWhatItRefuses) {
  for (const char* text : {"", "halt", "stop:", "email", "email:", "sms:5", "webhook:x",
                           "exec:", "exec:cat caf\xe9", "metric", "metric:prometheus:x"}) {
    EXPECT_FALSE(ParseActionFlag(text).ok()) << text;
  }
  EXPECT_NE(ParseActionFlag("halt").status().message().find("stop:PREFIX"), std::string::npos);
}

TEST(DescribeTest, ShowsNoSecrets) {
  EXPECT_EQ(Describe(WebhookConfig{"https://hooks.example.com/T0/key", "", ""}),
            "webhook to https://hooks.example.com");
  EXPECT_EQ(Describe(ExecConfig{{"notify", "--token=abc"}, "", {}}), "command notify");
  EXPECT_EQ(Describe(ExecConfig{{}, "notify --token=abc", {}}), "command notify");
}

}  // namespace
}  // namespace warden::actions
