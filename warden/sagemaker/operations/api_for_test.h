#ifndef WARDEN_SAGEMAKER_OPERATIONS_API_FOR_TEST_H_
#define WARDEN_SAGEMAKER_OPERATIONS_API_FOR_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/jobs/db/store_for_test.h"
#include "warden/sagemaker/api.h"

// For tests of operations: requests as clients send them, the real store, and a launcher and a
// supervisor that note what is asked of them.
namespace warden::sagemaker {

// Takes everybody for whom it is told to.
class OneKey : public auth::Authenticator {
 public:
  auth::Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const override {
    if (head.Header("authorization") == "wrong") {
      return auth::Refusal{"InvalidSignatureException", "The signature does not match"};
    }
    hash = payload_hash;
    auth::Identity identity{"AKIDEXAMPLE", "123456789012", "us-east-1", scopes};
    identity.limits = limits;
    return identity;
  }
  std::optional<auth::Refusal> CheckHead(const http::RequestHead&) const override {
    return refusal_of_heads;
  }
  uint8_t scopes = 7;
  auth::KeyLimits limits;
  std::optional<auth::Refusal> refusal_of_heads;
  mutable std::string hash;
};

class ScriptedLauncher : public jobs::Launcher {
 public:
  Status Check(const jobs::TrainingJob&) override { return check; }
  Status Prepare(const jobs::TrainingJob&) override { return Status(); }
  Status Start(const jobs::TrainingJob&) override { return Status(); }
  std::vector<jobs::HostState> Look(const jobs::TrainingJob&) override { return {}; }
  void Stop(const jobs::TrainingJob& job, std::chrono::seconds) override {
    stopped.push_back(job.name);
  }
  Status Reconfigure(const jobs::TrainingJob&) override { return Status(); }
  Status Collect(const jobs::TrainingJob&) override { return Status(); }
  Status Remove(const jobs::TrainingJob& job) override {
    removed.push_back(job.name);
    return remove;
  }
  Status check, remove;
  std::vector<std::string> removed, stopped;
};

class WakeList : public jobs::Supervisor {
 public:
  void Wake(const std::string& job) override { woken.push_back(job); }
  std::vector<std::string> woken;
};

struct Answer {
  int status = 0;
  std::string code, message;  // Of an error.
  Json body;
  http::Headers headers;
};

class ApiTest : public testing::Test {
 protected:
  ApiTest() { api = MakeApi({&options, &key, store.get(), &launcher, &supervisor}); }

  http::RequestHead Head(const std::string& target) const {
    http::RequestHead head;
    head.method = "POST";
    head.path = "/";
    head.headers = {{"Content-Type", "application/x-amz-json-1.1"}, {"X-Amz-Target", target}};
    if (!invocation.empty()) head.headers.emplace_back("amz-sdk-invocation-id", invocation);
    head.id = "request-1";
    return head;
  }

  Answer Send(const http::RequestHead& head, const std::string& text) {
    auto exchange = api->Begin(head);
    if (!text.empty()) exchange->Take(text);
    const http::Response response = exchange->Answer();
    Answer answer;
    answer.status = response.status;
    answer.headers = response.headers;
    if (response.body.empty()) return answer;
    auto body = ParseJson(response.body);
    EXPECT_TRUE(body.ok()) << response.body;
    if (body.ok()) answer.body = std::move(body).value();
    answer.code = TextOf(MemberOf(answer.body, "__type"));
    answer.message = TextOf(MemberOf(answer.body, "message"));
    return answer;
  }

  Answer Do(const std::string& operation, const Json& body) {
    return Send(Head("SageMaker." + operation), DumpLikePython(body));
  }

  // The answer to one that has to succeed.
  Json Done(const std::string& operation, const Json& body) {
    const Answer answer = Do(operation, body);
    EXPECT_EQ(answer.status, 200) << operation << ": " << answer.code << ": " << answer.message;
    return answer.body;
  }

  // "Code: message" of one that has to fail.
  std::string Refused(const std::string& operation, const Json& body) {
    const Answer answer = Do(operation, body);
    EXPECT_EQ(answer.status, 400) << DumpLikePython(answer.body);
    return answer.code + ": " + answer.message;
  }

  Json Describe(const std::string& name = "demo-001") {
    return Done("DescribeTrainingJob", {{"TrainingJobName", name}});
  }

  static Json Rule(const std::string& name, const std::string& rule = "VanishingGradient") {
    return {{"RuleConfigurationName", name},
            {"RuleEvaluatorImage", "1.dkr.ecr.us-east-1.amazonaws.com/sagemaker-debugger-rules:1"},
            {"RuleParameters", {{"rule_to_invoke", rule}}}};
  }

  // A request with everything of the debugger.
  static Json Request(const std::string& name = "demo-001") {
    return {{"TrainingJobName", name},
            {"AlgorithmSpecification",
             {{"TrainingImage", "local/train:1"}, {"TrainingInputMode", "File"}}},
            {"RoleArn", "arn:aws:iam::123456789012:role/DemoRole"},
            {"OutputDataConfig", {{"S3OutputPath", "s3://demo-bucket/out"}}},
            {"ResourceConfig",
             {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 1}, {"VolumeSizeInGB", 30}}},
            {"StoppingCondition", {{"MaxRuntimeInSeconds", 3600}}},
            {"HyperParameters", {{"zeta", "1"}, {"alpha", "0.5"}}},
            {"DebugHookConfig",
             {{"S3OutputPath", "s3://demo-bucket/debug"},
              {"CollectionConfigurations", Json::array({{{"CollectionName", "gradients"}}})}}},
            {"DebugRuleConfigurations", Json::array({Rule("VanishingGradient")})},
            {"ProfilerConfig",
             {{"S3OutputPath", "s3://demo-bucket/profile"}, {"DisableProfiler", false}}},
            {"ProfilerRuleConfigurations", Json::array({Rule("Low", "LowGPUUtilization")})},
            {"Tags", Json::array({{{"Key", "team"}, {"Value", "ml"}}})}};
  }

  // Puts the job into a status, as the supervisor does.
  void Enter(jobs::SecondaryStatus status, const std::string& name = "demo-001") {
    auto changed = store->Change(name, [&](jobs::TrainingJob* job) {
      jobs::Enter(job, status, "", Now());
      return Status();
    });
    ASSERT_TRUE(changed.ok());
  }
  void EndRules(const std::string& name = "demo-001") {
    auto changed = store->Change(name, [&](jobs::TrainingJob* job) {
      for (size_t i = 0; i < job->rules.size(); ++i) {
        jobs::SetRuleStatus(job, i, jobs::RuleStatus::kNoIssuesFound, "", Now());
      }
      return Status();
    });
    ASSERT_TRUE(changed.ok());
  }

  service::ServiceOptions options;
  OneKey key;
  ScriptedLauncher launcher;
  WakeList supervisor;
  jobs::StoreFolder folder;
  std::unique_ptr<jobs::JobStore> store = folder.Open();
  std::unique_ptr<http::Handler> api;
  std::string invocation;
};

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_OPERATIONS_API_FOR_TEST_H_
