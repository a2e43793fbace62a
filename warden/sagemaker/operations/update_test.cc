#include <gtest/gtest.h>

#include "warden/sagemaker/operations/api_for_test.h"

namespace warden::sagemaker {
namespace {

class UpdateTest : public ApiTest {
 protected:
  const std::string kTooLong = std::string(256, 'x');  // For the name of a file.

  UpdateTest() {
    Done("CreateTrainingJob", Request());
    Enter(jobs::SecondaryStatus::kTraining);
    supervisor.woken.clear();
  }
  static Json With(const char* member, Json value) {
    return {{"TrainingJobName", "demo-001"}, {member, std::move(value)}};
  }
  void Update(const char* member, Json value) {
    Done("UpdateTrainingJob", With(member, std::move(value)));
  }
  std::string RefusedUpdate(const char* member, Json value) {
    return Refused("UpdateTrainingJob", With(member, std::move(value)));
  }
};

TEST_F(UpdateTest, MembersThatAreAbsentKeepTheirValue) {
  const Json answer =
      Done("UpdateTrainingJob", With("ProfilerConfig", {{"ProfilingIntervalInMilliseconds", 1000},
                                                        {"DisableProfiler", false}}));
  EXPECT_EQ(answer["TrainingJobArn"],
            "arn:aws:sagemaker:us-east-1:123456789012:training-job/demo-001");
  EXPECT_EQ(Describe()["ProfilerConfig"], Json({{"S3OutputPath", "s3://demo-bucket/profile"},
                                                {"DisableProfiler", false},
                                                {"ProfilingIntervalInMilliseconds", 1000}}));
  EXPECT_EQ(supervisor.woken, std::vector<std::string>{"demo-001"});
}

TEST_F(UpdateTest, ParametersAreReplacedAndClearedButShown) {
  Update("ProfilerConfig", {{"ProfilingParameters", {{"a", "1"}, {"b", "2"}}}});
  Update("ProfilerConfig", {{"ProfilingParameters", {{"c", "3"}}}});
  EXPECT_EQ(Describe()["ProfilerConfig"]["ProfilingParameters"], Json({{"c", "3"}}));
  Update("ProfilerConfig", {{"ProfilingParameters", Json::object()}, {"DisableProfiler", false}});
  EXPECT_EQ(DumpLikePython(Describe()["ProfilerConfig"]["ProfilingParameters"]), "{}");
}

TEST_F(UpdateTest, TheProfilerIsSwitchedOffAndOnAgain) {
  EXPECT_EQ(RefusedUpdate("ProfilerConfig",
                          {{"DisableProfiler", true}, {"ProfilingIntervalInMilliseconds", 1000}}),
            "ValidationException: ProfilerConfig is not allowed to have fields when disabled.");
  Update("ProfilerConfig", {{"DisableProfiler", true}});
  Json told = Describe();
  EXPECT_EQ(told["ProfilingStatus"], "Disabled");
  EXPECT_EQ(told["ProfilerConfig"]["S3OutputPath"], "s3://demo-bucket/profile");
  EXPECT_EQ(told["ProfilerRuleConfigurations"].size(), 1u);
  EXPECT_EQ(told["ProfilerRuleEvaluationStatuses"][0]["RuleEvaluationStatus"], "Stopping");
  EXPECT_EQ(told["DebugRuleEvaluationStatuses"][0]["RuleEvaluationStatus"], "InProgress");
  EXPECT_TRUE(store->Get("demo-001").value().rules[1].stop_requested);
  Update("ProfilerConfig",
         {{"S3OutputPath", "s3://demo-bucket/profile/"}, {"DisableProfiler", false}});
  EXPECT_EQ(Describe()["ProfilingStatus"], "Enabled");
  EXPECT_EQ(Describe()["ProfilerConfig"]["ProfilingIntervalInMilliseconds"], 500);
}

TEST_F(UpdateTest, AProfilerThatWasNeverOnCanBeSwitchedOn) {
  for (const char* name : {"without", "disabled"}) {
    Json request = Request(name);
    request.erase("ProfilerRuleConfigurations");
    request.erase("ProfilerConfig");
    if (std::string(name) == "disabled") request["ProfilerConfig"] = {{"DisableProfiler", true}};
    Done("CreateTrainingJob", request);
    Done("UpdateTrainingJob",
         {{"TrainingJobName", name}, {"ProfilerConfig", {{"DisableProfiler", false}}}});
    EXPECT_EQ(Describe(name)["ProfilingStatus"], "Enabled");
    EXPECT_EQ(Describe(name)["ProfilerConfig"], Json({{"DisableProfiler", false},
                                                      {"S3OutputPath", "s3://demo-bucket/out"},
                                                      {"ProfilingIntervalInMilliseconds", 500}}));
  }
}

TEST_F(UpdateTest, ThePlaceOfTheOutputStays) {
  EXPECT_NE(RefusedUpdate("ProfilerConfig", {{"S3OutputPath", "s3://other/place"}})
                .find("cannot be changed"),
            std::string::npos);
  EXPECT_NE(
      RefusedUpdate("ProfilerConfig", {{"ProfilingIntervalInMilliseconds", 7}}).find("one of"),
      std::string::npos);
}

TEST_F(UpdateTest, APlaceThatCannotBeIsRefusedBeforeTheJobMeetsIt) {
  Json request = Request("unprofiled");
  request.erase("ProfilerRuleConfigurations");
  request.erase("ProfilerConfig");
  Done("CreateTrainingJob", request);
  for (const std::string& place :
       {std::string("https://demo-bucket/x"), std::string("s3://B/x"), "s3://demo/" + kTooLong}) {
    EXPECT_NE(Refused("UpdateTrainingJob", {{"TrainingJobName", "unprofiled"},
                                            {"ProfilerConfig", {{"S3OutputPath", place}}}})
                  .find("ValidationException: ProfilerConfig: "),
              std::string::npos)
        << place;
  }
  EXPECT_FALSE(Describe("unprofiled").contains("ProfilerConfig"));
  EXPECT_NE(
      RefusedUpdate("ProfilerConfig", {{"ProfilingParameters", {{"LocalPath", "not/from/root"}}}})
          .find("LocalPath is 'not/from/root'"),
      std::string::npos);
}

TEST_F(UpdateTest, RulesAreAddedAndNeverChanged) {
  Update("ProfilerRuleConfigurations", Json::array({Rule("New", "CPUBottleneck")}));
  const Json told = Describe();
  ASSERT_EQ(told["ProfilerRuleConfigurations"].size(), 2u);
  EXPECT_EQ(told["ProfilerRuleConfigurations"][1]["VolumeSizeInGB"], 0);
  EXPECT_EQ(told["ProfilerRuleEvaluationStatuses"][1]["RuleEvaluationStatus"], "InProgress");
  const std::string rule_job = store->Get("demo-001").value().rules[2].job_name;
  EXPECT_EQ(Done("DescribeProcessingJob", {{"ProcessingJobName", rule_job}})["ProcessingJobStatus"],
            "InProgress");
  for (const char* taken : {"New", "Low", "VanishingGradient"}) {
    EXPECT_EQ(
        RefusedUpdate("ProfilerRuleConfigurations", Json::array({Rule(taken, "CPUBottleneck")})),
        "ValidationException: Rule configuration names must be unique. Duplicate name: " +
            std::string(taken));
  }
}

TEST_F(UpdateTest, ThereAreAtMostTwentyRules) {
  Json rules = Json::array();
  for (int i = 0; i < 19; ++i) rules.push_back(Rule("r" + std::to_string(i), "CPUBottleneck"));
  Json too_many = rules;
  too_many.push_back(Rule("one-more", "CPUBottleneck"));
  EXPECT_NE(RefusedUpdate("ProfilerRuleConfigurations", too_many).find("at most 20"),
            std::string::npos);
  Update("ProfilerRuleConfigurations", rules);
  EXPECT_EQ(Describe()["ProfilerRuleConfigurations"].size(), 20u);
}

TEST_F(UpdateTest, RulesNeedAProfiler) {
  Update("ProfilerConfig", {{"DisableProfiler", true}});
  EXPECT_EQ(RefusedUpdate("ProfilerRuleConfigurations", Json::array({Rule("x", "CPUBottleneck")})),
            "ValidationException: ProfilerRuleConfigurations cannot be specified when the profiler "
            "is disabled");
  // Both at once is fine, and all or nothing.
  Json both = With("ProfilerConfig", {{"DisableProfiler", false}});
  both["ProfilerRuleConfigurations"] = Json::array({Rule("x", "NoSuchRule")});
  Refused("UpdateTrainingJob", both);
  EXPECT_EQ(Describe()["ProfilingStatus"], "Disabled");
  both["ProfilerRuleConfigurations"] = Json::array({Rule("x", "CPUBottleneck")});
  Done("UpdateTrainingJob", both);
  EXPECT_EQ(Describe()["ProfilerRuleConfigurations"].size(), 2u);
}

TEST_F(UpdateTest, AnUpdateOfNothingIsRefused) {
  for (const Json& body :
       {Json{{"TrainingJobName", "demo-001"}}, With("ProfilerRuleConfigurations", Json::array()),
        With("ProfilerConfig", Json::object()), With("ProfilerConfig", nullptr)}) {
    EXPECT_NE(Refused("UpdateTrainingJob", body).find("contains no update"), std::string::npos);
  }
  EXPECT_TRUE(supervisor.woken.empty());
}

TEST_F(UpdateTest, OnlyWhileTheJobIsAtWork) {
  Enter(jobs::SecondaryStatus::kCompleted);
  const std::string why =
      "ValidationException: The request was rejected because the training job is in status "
      "Completed.";
  EXPECT_EQ(RefusedUpdate("ProfilerConfig", {{"DisableProfiler", true}}), why);
  EXPECT_EQ(RefusedUpdate("ProfilerRuleConfigurations", Json::array({Rule("x")})), why);
  EXPECT_EQ(Refused("UpdateTrainingJob",
                    {{"TrainingJobName", "none"}, {"ProfilerConfig", {{"DisableProfiler", true}}}}),
            "ValidationException: Requested resource not found.");
}

TEST_F(UpdateTest, RemoteDebugging) {
  EXPECT_FALSE(Describe().contains("RemoteDebugConfig"));
  for (const bool on : {true, false}) {
    Update("RemoteDebugConfig", {{"EnableRemoteDebug", on}});
    EXPECT_EQ(Describe()["RemoteDebugConfig"]["EnableRemoteDebug"], on);
  }
  Enter(jobs::SecondaryStatus::kUploading);
  EXPECT_NE(RefusedUpdate("RemoteDebugConfig", {{"EnableRemoteDebug", true}}).find("Uploading"),
            std::string::npos);
}

TEST_F(UpdateTest, WarmPools) {
  const Json longer = {{"KeepAlivePeriodInSeconds", 60}};
  EXPECT_NE(RefusedUpdate("ResourceConfig", longer).find("only if it was set"), std::string::npos);
  Json request = Request("warm");
  request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 600;
  Done("CreateTrainingJob", request);
  Json update = {{"TrainingJobName", "warm"}, {"ResourceConfig", longer}};
  EXPECT_NE(Refused("UpdateTrainingJob", update).find("in status InProgress"), std::string::npos);
  Enter(jobs::SecondaryStatus::kCompleted, "warm");
  EXPECT_EQ(Describe("warm")["WarmPoolStatus"]["Status"], "Terminated");
  EXPECT_NE(Refused("UpdateTrainingJob", update).find("Terminated"), std::string::npos);
  update["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 0;
  Done("UpdateTrainingJob", update);
}

}  // namespace
}  // namespace warden::sagemaker
