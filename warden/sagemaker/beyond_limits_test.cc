#include "warden/sagemaker/beyond_limits.h"

#include "warden/jobs/logs/log_file.h"
#include "warden/sagemaker/operations/api_for_test.h"

namespace warden::sagemaker {
namespace {

// Team A's key, in a service that also has the jobs of team B and of team AB.
class KeyLimitsTest : public ApiTest {
 protected:
  KeyLimitsTest() {
    options.data = folder.folder();
    for (const char* name : {"team-b-1", "team-ab-1"}) Done("CreateTrainingJob", Request(name));
    key.limits = {.jobs = {"team-a-"}, .buckets = {"team-a-"}};
    Done("CreateTrainingJob", Own("team-a-1"));
  }

  // A request whose addresses are all of team A's buckets.
  static Json Own(const std::string& name) {
    Json request = Request(name);
    for (const char* member : {"OutputDataConfig", "DebugHookConfig", "ProfilerConfig"}) {
      request[member]["S3OutputPath"] = "s3://team-a-data/out";
    }
    return request;
  }
  // The error of a job that is team A's but for one value, at a JSON pointer.
  std::string RefusedWith(const std::string& pointer, const Json& value) {
    Json request = Own("team-a-2");
    request[Json::json_pointer(pointer)] = value;
    return Refused("CreateTrainingJob", request);
  }
  std::string RuleOf(const std::string& job) {
    return store->Get(job).value().rules.front().job_name;
  }
  static bool IsDenied(const std::string& error) {
    return error.starts_with("AccessDeniedException: User: arn:aws:iam::123456789012:user/");
  }
  void WriteLog(const std::string& job) {
    const auto writer = jobs::LogWriter::Open(
        service::DataLayout::Log(service::DataLayout(options.data).Host(job, "algo-1")), 1 << 20,
        3);
    ASSERT_TRUE(writer.ok());
    writer.value()->Append("log of " + job + "\n", Now());
  }
};

TEST_F(KeyLimitsTest, ItsOwnJobsWork) {
  const Json name = {{"TrainingJobName", "team-a-1"}};
  EXPECT_EQ(Describe("team-a-1")["TrainingJobName"], "team-a-1");
  const std::string arn = Describe("team-a-1")["TrainingJobArn"];
  Done("AddTags",
       {{"ResourceArn", arn}, {"Tags", Json::array({{{"Key", "note"}, {"Value", "mine"}}})}});
  EXPECT_EQ(Done("ListTags", {{"ResourceArn", arn}})["Tags"].size(), 2U);
  Done("DeleteTags", {{"ResourceArn", arn}, {"TagKeys", Json::array({"note"})}});
  Done("DescribeProcessingJob", {{"ProcessingJobName", RuleOf("team-a-1")}});
  Done("StopTrainingJob", name);
}

TEST_F(KeyLimitsTest, OtherJobsAreUnknown) {
  for (const std::string other : {"team-b-1", "team-ab-1", "TEAM-A-1"}) {
    EXPECT_EQ(Refused("DescribeTrainingJob", {{"TrainingJobName", other}}),
              Refused("DescribeTrainingJob", {{"TrainingJobName", "team-a-absent"}}));
    EXPECT_EQ(Refused("ListTags", {{"ResourceArn",
                                    "arn:aws:sagemaker:us-east-1:123456789012:"
                                    "training-job/" +
                                        other}}),
              "ValidationException: Requested resource not found.");
  }
  const std::string rule = RuleOf("team-b-1");
  for (const char* operation : {"DescribeProcessingJob", "StopProcessingJob"}) {
    EXPECT_EQ(Refused(operation, {{"ProcessingJobName", rule}}),
              "ValidationException: Could not find requested job with name: " + rule);
  }
  const std::string arn = "arn:aws:sagemaker:us-east-1:123456789012:processing-job/" + rule;
  EXPECT_EQ(Refused("ListTags", {{"ResourceArn", arn}}),
            "ValidationException: Requested resource not found.");
}

TEST_F(KeyLimitsTest, ListsAndSearchesShowItsJobs) {
  const Json jobs = Done("ListTrainingJobs", {{"MaxResults", 1}});
  EXPECT_EQ(jobs["TrainingJobSummaries"].size(), 1U);
  EXPECT_EQ(jobs["TrainingJobSummaries"][0]["TrainingJobName"], "team-a-1");
  EXPECT_FALSE(jobs.contains("NextToken"));
  const Json named = Done("ListTrainingJobs", {{"NameContains", "team-b"}});
  EXPECT_EQ(named["TrainingJobSummaries"], Json::array());
  const Json rules = Done("ListProcessingJobs", Json::object());
  ASSERT_EQ(rules["ProcessingJobSummaries"].size(), 2U);
  for (const Json& rule : rules["ProcessingJobSummaries"]) {
    EXPECT_TRUE(rule["ProcessingJobName"].get<std::string>().starts_with("team-a-1-"));
  }
  const Json found = Done("Search", {{"Resource", "TrainingJob"}});
  ASSERT_EQ(found["Results"].size(), 1U);
  EXPECT_EQ(found["TotalHits"]["Value"], 1);
  EXPECT_EQ(found["Results"][0]["TrainingJob"]["TrainingJobName"], "team-a-1");
}

TEST_F(KeyLimitsTest, ChangesOfOtherJobsAreDenied) {
  for (const std::string other : {"team-b-1", "team-ab-1", "team-a", "absent", "Team-a-1"}) {
    const Json name = {{"TrainingJobName", other}};
    EXPECT_TRUE(IsDenied(Refused("StopTrainingJob", name))) << other;
    EXPECT_TRUE(IsDenied(Refused("DeleteTrainingJob", name))) << other;
    EXPECT_TRUE(IsDenied(Refused("CreateTrainingJob", Own(other)))) << other;
    EXPECT_TRUE(IsDenied(Refused(
        "UpdateTrainingJob",
        {{"TrainingJobName", other}, {"RemoteDebugConfig", {{"EnableRemoteDebug", true}}}})));
    const std::string arn = "arn:aws:sagemaker:us-east-1:123456789012:training-job/" + other;
    EXPECT_TRUE(IsDenied(
        Refused("DeleteTags", {{"ResourceArn", arn}, {"TagKeys", Json::array({"team"})}})));
    EXPECT_TRUE(
        IsDenied(Refused("AddTags", {{"ResourceArn", arn},
                                     {"Tags", Json::array({{{"Key", "a"}, {"Value", "b"}}})}})));
  }
  EXPECT_NE(Refused("StopTrainingJob", {{"TrainingJobName", "team-b-1"}})
                .find("training-job/team-b-1 because this key is limited to job names that begin "
                      "with team-a-"),
            std::string::npos);
  EXPECT_EQ(store->Get("team-b-1").value().status, jobs::JobStatus::kInProgress);
}

TEST_F(KeyLimitsTest, OtherBucketsAreDeniedWhereverTheyAre) {
  const std::string theirs = "s3://team-b/x";
  for (const char* pointer :
       {"/OutputDataConfig/S3OutputPath", "/DebugHookConfig/S3OutputPath",
        "/ProfilerConfig/S3OutputPath", "/TensorBoardOutputConfig/S3OutputPath",
        "/CheckpointConfig/S3Uri", "/DebugRuleConfigurations/0/S3OutputPath",
        "/ProfilerRuleConfigurations/0/S3OutputPath", "/HyperParameters/data", "/Environment/DATA",
        "/DebugRuleConfigurations/0/RuleParameters/other_trials"}) {
    const std::string error = RefusedWith(pointer, theirs);
    EXPECT_TRUE(IsDenied(error)) << pointer << ": " << error;
    EXPECT_NE(error.find("arn:aws:s3:::team-b because "), std::string::npos) << error;
  }
  EXPECT_TRUE(IsDenied(RefusedWith(
      "/InputDataConfig",
      Json::array({{{"ChannelName", "train"},
                    {"DataSource",
                     {{"S3DataSource", {{"S3DataType", "S3Prefix"}, {"S3Uri", theirs}}}}}}}))));
  for (const char* text :
       {"s3://team-ab/x", "s3://team-a", "s3://", "S3://TEAM-B/x", "\"s3://team-b/x\"",
        "\"s3:\\/\\/team-b/x\"", "\"\\u00733://team-b/x\"", "s3://team-a-data/x,s3://team-b/x",
        "[\"s3://team-b/x\"]", "{\"a\": {\"b\": \"s3://team-b\"}}", "file:///etc/passwd",
        "\"file:///etc/passwd\"", "/etc/passwd", "\"/etc/passwd\"", " FILE:///etc/passwd"}) {
    const std::string error =
        RefusedWith("/HyperParameters", {{"sagemaker_submit_directory", text}});
    EXPECT_TRUE(IsDenied(error)) << text << ": " << error;
  }
  Json fine = Own("team-a-2");
  fine["HyperParameters"] = {{"sagemaker_submit_directory", "\"s3://team-a-data/code.tar.gz\""},
                             {"folder", "/opt/ml/input"}};
  Done("CreateTrainingJob", fine);
}

TEST_F(KeyLimitsTest, RulesStayWithinTheLimits) {
  const auto refused = [&](const char* parameter, const std::string& value) {
    return RefusedWith(std::string("/DebugRuleConfigurations/0/RuleParameters/") + parameter,
                       value);
  };
  for (const char* source : {"s3://team-b/rule.py", "/srv/rule.py", "file:///srv/rule.so"}) {
    EXPECT_TRUE(IsDenied(refused("source_s3_uri", source))) << source;
  }
  EXPECT_TRUE(IsDenied(refused("other_trials", "team-a-1,team-b-1")));
  EXPECT_TRUE(IsDenied(refused("other_trial_0", "/srv/runs/x")));
  for (const char* prefix : {"team-b-1", "team", "team-a", "TEAM-A-"}) {
    const Json stop = {{"name", "StopTraining"}, {"training_job_prefix", prefix}};
    EXPECT_TRUE(IsDenied(refused("action_json", stop.dump()))) << prefix;
  }
  EXPECT_TRUE(IsDenied(
      refused("action_json",
              R"({"name": "webhook", "url": "http://h.example/", "secret_file": "/srv/key"})")));
  Json request = Own("team-a-Two");
  request["DebugRuleConfigurations"][0]["RuleParameters"]["source_s3_uri"] =
      "s3://team-a-data/rule.py";
  request["DebugRuleConfigurations"][0]["RuleParameters"]["action_json"] =
      R"({"name": "stoptraining", "training_job_prefix": "team-a-two"})";
  Done("CreateTrainingJob", request);
  request = Own("team-a-3");
  request["DebugRuleConfigurations"][0]["RuleParameters"] = {
      {"rule_to_invoke", "StalledTrainingRule"},
      {"stop_training_on_fire", "True"},
      {"training_job_name_prefix", "team-b"}};
  EXPECT_TRUE(IsDenied(Refused("CreateTrainingJob", request)));
  Enter(jobs::SecondaryStatus::kTraining, "team-a-1");
  Json rule = Rule("More", "LowGPUUtilization");
  rule["S3OutputPath"] = "s3://team-b/x";
  EXPECT_TRUE(IsDenied(Refused(
      "UpdateTrainingJob",
      {{"TrainingJobName", "team-a-1"}, {"ProfilerRuleConfigurations", Json::array({rule})}})));
}

TEST_F(KeyLimitsTest, LogsAndMetricsAreOfItsJobs) {
  for (const char* job : {"team-a-1", "team-b-1"}) WriteLog(job);
  const auto ask = [&](const std::string& operation, Json body) {
    body["logGroupName"] = "/aws/sagemaker/TrainingJobs";
    return Send(Head("Logs_20140328." + operation), body.dump()).body;
  };
  const Json streams = ask("DescribeLogStreams", Json::object())["logStreams"];
  ASSERT_EQ(streams.size(), 1U) << streams.dump();
  const std::string own = streams[0]["logStreamName"];
  EXPECT_EQ(ask("GetLogEvents", {{"logStreamName", own}})["events"][0]["message"],
            "log of team-a-1");
  EXPECT_EQ(ask("FilterLogEvents", Json::object())["events"].size(), 1U);
  key.limits = {};
  const Json theirs =
      ask("DescribeLogStreams", {{"logStreamNamePrefix", "team-b-1/"}})["logStreams"];
  ASSERT_EQ(theirs.size(), 1U);
  key.limits = {.jobs = {"team-a-"}, .buckets = {"team-a-"}};
  const Json name = theirs[0]["logStreamName"];
  EXPECT_EQ(ask("GetLogEvents", {{"logStreamName", name}})["__type"], "ResourceNotFoundException");
  EXPECT_EQ(ask("FilterLogEvents", {{"logStreamNames", Json::array({name})}})["__type"],
            "ResourceNotFoundException");
  EXPECT_EQ(ask("FilterLogEvents", {{"logStreamNamePrefix", "team-b-1/"}})["events"],
            Json::array());
}

}  // namespace
}  // namespace warden::sagemaker
