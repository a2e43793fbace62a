#include <gtest/gtest.h>

#include <regex>

#include "warden/sagemaker/operations/api_for_test.h"
#include "warden/sagemaker/operations/rule_jobs.h"

namespace warden::sagemaker {
namespace {

TEST_F(ApiTest, CreateMakesAJobThatDescribeTellsAtOnce) {
  const Json answer = Done("CreateTrainingJob", Request());
  EXPECT_EQ(answer["TrainingJobArn"],
            "arn:aws:sagemaker:us-east-1:123456789012:training-job/demo-001");
  EXPECT_EQ(supervisor.woken, std::vector<std::string>{"demo-001"});
  const Json told = Describe();
  EXPECT_EQ(told["TrainingJobStatus"], "InProgress");
  EXPECT_EQ(told["SecondaryStatus"], "Starting");
  EXPECT_EQ(told["SecondaryStatusTransitions"][0]["StatusMessage"], "Starting the training job");
  EXPECT_EQ(DumpLikePython(told["HyperParameters"]), R"({"zeta": "1", "alpha": "0.5"})");
  EXPECT_FALSE(told.contains("Tags"));
  ASSERT_EQ(told["DebugRuleEvaluationStatuses"].size(), 1u);
  EXPECT_FALSE(told["DebugRuleEvaluationStatuses"][0].contains("RuleEvaluationJobArn"));
  ASSERT_EQ(told["ProfilerRuleEvaluationStatuses"].size(), 1u);
  EXPECT_EQ(store->Get("demo-001").value().owner, "AKIDEXAMPLE");
}

TEST_F(ApiTest, CreateAddsWhatDescribeHasToTell) {
  Json request = Request();
  request.erase("StoppingCondition");
  request["InputDataConfig"] = Json::array(
      {{{"ChannelName", "train"},
        {"DataSource",
         {{"S3DataSource", {{"S3DataType", "S3Prefix"}, {"S3Uri", "s3://demo-bucket/in"}}}}}}});
  request["VpcConfig"] = nullptr;
  request["NoSuchMember"] = "ignored";
  Done("CreateTrainingJob", request);
  const Json told = Describe();
  EXPECT_EQ(told["OutputDataConfig"]["KmsKeyId"], "");
  EXPECT_EQ(told["OutputDataConfig"]["CompressionType"], "GZIP");
  EXPECT_EQ(told["StoppingCondition"]["MaxRuntimeInSeconds"], 86'400);
  EXPECT_EQ(told["AlgorithmSpecification"]["EnableSageMakerMetricsTimeSeries"], false);
  EXPECT_EQ(told["InputDataConfig"][0]["CompressionType"], "None");
  EXPECT_EQ(told["InputDataConfig"][0]["RecordWrapperType"], "None");
  for (const char* name : {"EnableNetworkIsolation", "EnableInterContainerTrafficEncryption",
                           "EnableManagedSpotTraining"}) {
    EXPECT_EQ(told[name], false);
  }
  EXPECT_EQ(told["DebugRuleConfigurations"][0]["VolumeSizeInGB"], 0);
  EXPECT_EQ(told["ProfilerRuleConfigurations"][0]["VolumeSizeInGB"], 0);
  EXPECT_FALSE(told.contains("VpcConfig"));
  EXPECT_FALSE(told.contains("NoSuchMember"));
  // The SDK compares these with what it sent.
  EXPECT_EQ(told["DebugHookConfig"], request["DebugHookConfig"]);
  EXPECT_EQ(told["ProfilerConfig"], Json({{"S3OutputPath", "s3://demo-bucket/profile"},
                                          {"DisableProfiler", false},
                                          {"ProfilingIntervalInMilliseconds", 500}}));
}

TEST_F(ApiTest, CreateWithoutAProfiler) {
  Json request = Request();
  request.erase("ProfilerRuleConfigurations");
  request["ProfilerConfig"] = {{"DisableProfiler", true}};
  Done("CreateTrainingJob", request);
  EXPECT_EQ(Describe()["ProfilingStatus"], "Disabled");
  EXPECT_EQ(Describe()["ProfilerConfig"], Json({{"DisableProfiler", true}}));
  EXPECT_FALSE(Describe().contains("ProfilerRuleConfigurations"));
  request = Request("other");
  request.erase("ProfilerRuleConfigurations");
  request.erase("ProfilerConfig");
  Done("CreateTrainingJob", request);
  EXPECT_EQ(Describe("other")["ProfilingStatus"], "Disabled");
  EXPECT_FALSE(Describe("other").contains("ProfilerConfig"));
}

TEST_F(ApiTest, ANameIsTakenOnceAndSaidSo) {
  Done("CreateTrainingJob", Request());
  // What else is wrong with the request does not matter then.
  Json request = Request();
  request["AlgorithmSpecification"].erase("TrainingImage");
  const Answer answer = Do("CreateTrainingJob", request);
  EXPECT_EQ(answer.code, "ResourceInUse");
  EXPECT_EQ(answer.message,
            "Training job names must be unique within an AWS account and region, and a training "
            "job with this name already exists "
            "(arn:aws:sagemaker:us-east-1:123456789012:training-job/demo-001)");
  EXPECT_EQ(answer.body["Message"], answer.message);
}

TEST_F(ApiTest, ARequestSentAgainMakesNoSecondJob) {
  invocation = "01268fa4-1b30-4d5d-bd3f-460b0660bda2";
  const Json first = Done("CreateTrainingJob", Request());
  EXPECT_EQ(Done("CreateTrainingJob", Request()), first);
  EXPECT_EQ(supervisor.woken.size(), 1u);
  // Another job under the same id is another job.
  Done("CreateTrainingJob", Request("demo-002"));
  invocation = "another";
  EXPECT_EQ(Do("CreateTrainingJob", Request()).code, "ResourceInUse");
  invocation = "";
  EXPECT_EQ(Do("CreateTrainingJob", Request()).code, "ResourceInUse");
}

TEST_F(ApiTest, ARuleComparesWithAJobByItsName) {
  Json request = Request("second");
  request["DebugRuleConfigurations"] = Json::array({Rule("Similar", "SimilarAcrossRuns")});
  Json& other = request["DebugRuleConfigurations"][0]["RuleParameters"]["other_trials"];
  other = "demo-001";
  EXPECT_EQ(Refused("CreateTrainingJob", request),
            "ValidationException: Rule configuration \"Similar\": other_trials is 'demo-001'; "
            "expected the name of a training job, an s3:// address or the path of a run");
  Done("CreateTrainingJob", Request());
  Done("CreateTrainingJob", request);
  other = "s3://demo-bucket/a,/runs/b";
  request["TrainingJobName"] = "third";
  Done("CreateTrainingJob", request);
}

TEST_F(ApiTest, CreateWarnsOfRulesThatNothingIsSavedFor) {
  const auto details = [&](const std::string& name, const Json& rule, const Json& collections,
                           const std::string& image = "local/train:1") {
    Json request = Request(name);
    request["DebugRuleConfigurations"] = Json::array({rule});
    request["DebugHookConfig"]["CollectionConfigurations"] = collections;
    request["AlgorithmSpecification"]["TrainingImage"] = image;
    Done("CreateTrainingJob", request);
    return TextOf(MemberOf(Describe(name)["DebugRuleEvaluationStatuses"][0], "StatusDetails"));
  };
  const auto saved = [](const char* name, const char* regex = "") {
    Json collection = {{"CollectionName", name}};
    if (*regex != 0) collection["CollectionParameters"] = {{"include_regex", regex}};
    return Json::array({collection});
  };
  const std::string lost =
      "Not evaluated yet: DebugHookConfig saves only losses, metrics, sm_metrics, weights; "
      "ClassImbalance needs labels or predictions";
  EXPECT_EQ(details("a", Rule("Classes", "ClassImbalance"), saved("weights")), lost);
  const std::string message = Describe("a")["SecondaryStatusTransitions"][0]["StatusMessage"];
  EXPECT_TRUE(
      message.starts_with("Starting the training job. Warning: rule Classes may not be "
                          "evaluated: DebugHookConfig saves only"))
      << message;
  EXPECT_EQ(details("b", Rule("Classes", "ClassImbalance"), saved("labels")), "");
  EXPECT_EQ(details("c", Rule("Classes", "ClassImbalance"), saved("mine", ".*labels")), "");
  EXPECT_EQ(details("d", Rule("Classes", "ClassImbalance"), saved("all")), "");
  EXPECT_EQ(details("e", Rule("Losses", "loss_not_decreasing"), Json::array()), "");
  EXPECT_NE(details("f", Rule("Vanishing"), Json::array()), "");
  Json relu = Rule("DeadRelu", "DeadRelu");
  relu["RuleParameters"]["tensor_regex"] = ".*relu_output";
  const Json custom = saved("custom_relu_collection", ".*relu_output");
  EXPECT_EQ(details("g", relu, custom, "763104351884.dkr.ecr/pytorch-training:1.12"), "");
  EXPECT_EQ(details("h", relu, custom, "763104351884.dkr.ecr/tensorflow-training:2.9"),
            "Not evaluated yet: DeadRelu needs tensors matching '.*relu_output', and no tensor of "
            "TensorFlow has such a name; without the pattern it finds them by what they are");
  EXPECT_EQ(details("i", Rule("DeadRelu", "DeadRelu"), saved("relu_output", ".*relu_output"),
                    "tensorflow-training:2.9"),
            "");
}

TEST_F(ApiTest, CreateWarnsOfMessagesThatCannotBeSent) {
  Json request = Request();
  request["DebugRuleConfigurations"][0]["RuleParameters"]["action_json"] =
      R"([{"name": "email", "endpoint": "a@b.com"}])";
  Done("CreateTrainingJob", request);
  EXPECT_EQ(Describe()["SecondaryStatusTransitions"][0]["StatusMessage"],
            "Starting the training job. Warning: actions of rule VanishingGradient: email to "
            "a@b.com: no mail server configured; set WARDEN_SMTP_URL");
  EXPECT_EQ(Describe()["DebugRuleEvaluationStatuses"][0]["StatusDetails"],
            "Warning: email to a@b.com: no mail server configured; set WARDEN_SMTP_URL");
}

TEST_F(ApiTest, CreateRefusesWhatCannotBe) {
  const auto refused = [&](const std::function<void(Json*)>& change) {
    Json request = Request();
    change(&request);
    return Refused("CreateTrainingJob", request);
  };
  const std::string validation = "ValidationException: ";
  EXPECT_EQ(refused([](Json* r) { (*r)["StoppingCondition"]["MaxWaitTimeInSeconds"] = 7200; }),
            validation +
                "Invalid MaxWaitTimeInSeconds. It is only supported when "
                "EnableManagedSpotTraining is set to true");
  EXPECT_EQ(refused([](Json* r) {
              (*r)["DebugRuleConfigurations"] = Json::array({Rule("a"), Rule("a")});
            }),
            validation + "Rule configuration names must be unique. Duplicate name: a");
  EXPECT_EQ(
      refused([](Json* r) {
        (*r)["ProfilerRuleConfigurations"] = Json::array({Rule("VanishingGradient")});
      }),
      validation + "Rule configuration names must be unique. Duplicate name: VanishingGradient");
  EXPECT_EQ(
      refused([](Json* r) { r->erase("DebugHookConfig"); }),
      validation + "DebugHookConfig must be specified when DebugRuleConfigurations is specified");
  EXPECT_EQ(
      refused([](Json* r) { (*r)["ProfilerConfig"] = {{"DisableProfiler", true}}; }),
      validation + "ProfilerRuleConfigurations cannot be specified when the profiler is disabled");
  EXPECT_EQ(refused([](Json* r) { (*r)["ProfilerConfig"]["DisableProfiler"] = true; }),
            validation + "ProfilerConfig is not allowed to have fields when disabled.");
  EXPECT_EQ(
      refused([](Json* r) { (*r)["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] = 300; }),
      validation +
          "Invalid ProfilingIntervalInMilliseconds: 300. It must be one of 100, 200, "
          "500, 1000, 5000, 60000.");
  EXPECT_EQ(refused([](Json* r) { r->erase("AlgorithmSpecification"); }),
            validation +
                "1 validation error detected: Value null at 'algorithmSpecification' "
                "failed to satisfy constraint: Member must not be null");
  EXPECT_EQ(refused([](Json* r) { (*r)["ResourceConfig"] = nullptr; }),
            validation +
                "1 validation error detected: Value null at 'resourceConfig' failed to "
                "satisfy constraint: Member must not be null");
  EXPECT_NE(refused([](Json* r) {
              (*r)["AlgorithmSpecification"]["AlgorithmName"] = "mine";
            }).find("expected only one of them"),
            std::string::npos);
  EXPECT_NE(refused([](Json* r) {
              (*r)["AlgorithmSpecification"].erase("TrainingImage");
            }).find("Invalid training image."),
            std::string::npos);
  EXPECT_NE(
      refused([](Json* r) { (*r)["ResourceConfig"]["InstanceCount"] = 0; }).find("at least 1"),
      std::string::npos);
  EXPECT_EQ(refused([](Json* r) {
              (*r)["ResourceConfig"]["InstanceCount"] = 2'000'000'000;
            }).substr(0, 21),
            "ResourceLimitExceeded");
  EXPECT_EQ(store->Get("demo-001").status().code(), Code::kNotFound);
  EXPECT_EQ(store->LastEvent(), 0);
}

TEST_F(ApiTest, CreateNamesTheRulesThatThereAre) {
  Json request = Request();
  request["DebugRuleConfigurations"] = Json::array({Rule("mine", "NoSuchRule")});
  const std::string why = Refused("CreateTrainingJob", request);
  EXPECT_NE(why.find("unknown rule 'NoSuchRule'"), std::string::npos) << why;
  EXPECT_NE(why.find("VanishingGradient, "), std::string::npos) << why;
  request["DebugRuleConfigurations"][0]["RuleParameters"]["source_s3_uri"] = "s3://b/rule.py";
  Done("CreateTrainingJob", request);
  request = Request("other");
  request["DebugRuleConfigurations"][0].erase("RuleParameters");
  EXPECT_NE(Refused("CreateTrainingJob", request).find("set rule_to_invoke"), std::string::npos);
  request["DebugRuleConfigurations"][0]["RuleEvaluatorImage"] = "";
  EXPECT_EQ(Refused("CreateTrainingJob", request),
            "ValidationException: Rule Image for rule configuration \"VanishingGradient\" is "
            "invalid: it is empty");
  // The SDK adds this one by itself to jobs that are profiled in detail.
  request = Request("detailed");
  request["ProfilerRuleConfigurations"] =
      Json::array({{{"RuleConfigurationName", "DetailedProfilerProcessingJobConfig-1"},
                    {"RuleEvaluatorImage", "1.dkr.ecr.x/detailed-profiler-processing:latest"},
                    {"RuleParameters", {{"rule_to_invoke", "DetailedProfilerProcessing"}}}}});
  Done("CreateTrainingJob", request);
}

TEST_F(ApiTest, TheLauncherHasAWord) {
  launcher.check = Status(Code::kInvalid, "no environment runs the image 'local/train:1'");
  EXPECT_EQ(Refused("CreateTrainingJob", Request()),
            "ValidationException: no environment runs the image 'local/train:1'");
  launcher.check = Status(Code::kIo, "secret path /x/y");
  const Answer answer = Do("CreateTrainingJob", Request());
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.code, "InternalFailure");
  EXPECT_EQ(answer.message.find("/x/y"), std::string::npos);
  EXPECT_EQ(store->Get("demo-001").status().code(), Code::kNotFound);
}

TEST_F(ApiTest, HostsMayComeInGroups) {
  Json request = Request();
  request["ResourceConfig"] = {{"InstanceGroups", Json::array({{{"InstanceGroupName", "a"},
                                                                {"InstanceType", "ml.m5.xlarge"},
                                                                {"InstanceCount", 2}},
                                                               {{"InstanceGroupName", "b"},
                                                                {"InstanceType", "ml.m5.xlarge"},
                                                                {"InstanceCount", 1}}})}};
  Done("CreateTrainingJob", request);
  EXPECT_EQ(store->Get("demo-001").value().Hosts().size(), 3u);
  request = Request("other");
  request["ResourceConfig"]["InstanceGroups"] = Json::array(
      {{{"InstanceGroupName", "a"}, {"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 1}}});
  EXPECT_NE(Refused("CreateTrainingJob", request).find("InstanceGroups"), std::string::npos);
}

TEST(RuleJobNameTest, IsOneThatAJobMayHave) {
  const std::regex pattern("[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}");
  const std::string job(63, 'j');
  for (const std::string rule : {"VanishingGradient", "my rule_1", "---", "\xc3\xa4\xc3\xb6",
                                 "a/../b", ".", "0123456789012345678901234567890123456789"}) {
    const std::string name = operations::RuleJobName(job, rule);
    EXPECT_TRUE(std::regex_match(name, pattern)) << name;
    EXPECT_LE(name.size(), 63u);
    EXPECT_NE(name, operations::RuleJobName(job, rule));
  }
  EXPECT_EQ(operations::RuleJobName("demo-001", "my rule\xc3\xa4").substr(0, 18),
            "demo-001-my-rule--");
}

}  // namespace
}  // namespace warden::sagemaker
