#include <gtest/gtest.h>

#include "warden/sagemaker/operations/api_for_test.h"

namespace warden::sagemaker {
namespace {

const Json kDemo = {{"TrainingJobName", "demo-001"}};

TEST_F(ApiTest, StopAsksOnce) {
  Done("CreateTrainingJob", Request());
  supervisor.woken.clear();
  const Answer stopped = Do("StopTrainingJob", kDemo);
  EXPECT_EQ(stopped.status, 200);
  EXPECT_TRUE(stopped.body.is_null());
  EXPECT_EQ(supervisor.woken, std::vector<std::string>{"demo-001"});
  EXPECT_EQ(launcher.stopped, std::vector<std::string>{"demo-001"}) << "before the answer";
  const Json told = Describe();
  EXPECT_EQ(told["TrainingJobStatus"], "Stopping");
  EXPECT_EQ(told["SecondaryStatus"], "Stopping");
  EXPECT_EQ(told["DebugRuleEvaluationStatuses"][0]["RuleEvaluationStatus"], "InProgress");
  EXPECT_EQ(store->Get("demo-001").value().stop_cause, jobs::StopCause::kUser);
  EXPECT_EQ(Refused("StopTrainingJob", kDemo),
            "ValidationException: The request was rejected because the training job is in status "
            "Stopping.");
  Enter(jobs::SecondaryStatus::kStopped);
  EXPECT_EQ(Refused("StopTrainingJob", kDemo),
            "ValidationException: The request was rejected because the training job is in status "
            "Stopped.");
  EXPECT_EQ(Refused("StopTrainingJob", {{"TrainingJobName", "none"}}),
            "ValidationException: Requested resource not found.");
}

TEST_F(ApiTest, DeleteTakesWhatIsOver) {
  Done("CreateTrainingJob", Request());
  EXPECT_EQ(Do("DeleteTrainingJob", kDemo).code, "ResourceInUse");
  Enter(jobs::SecondaryStatus::kCompleted);
  EXPECT_EQ(Do("DeleteTrainingJob", kDemo).code, "ResourceInUse") << "its rules are at work";
  EndRules();
  launcher.remove = Status(Code::kIo, "disk");
  EXPECT_EQ(Do("DeleteTrainingJob", kDemo).code, "InternalFailure");
  EXPECT_EQ(Describe()["TrainingJobStatus"], "Completed") << "it can be tried again";
  launcher.remove = Status();
  Done("DeleteTrainingJob", kDemo);
  EXPECT_EQ(launcher.removed.back(), "demo-001");
  EXPECT_EQ(Refused("DeleteTrainingJob", kDemo),
            "ValidationException: Requested resource not found.");
  Done("CreateTrainingJob", Request());
}

TEST_F(ApiTest, RuleJobsAreProcessingJobs) {
  Done("CreateTrainingJob", Request());
  supervisor.woken.clear();
  const std::string name = store->Get("demo-001").value().rules[0].job_name;
  const Json which = {{"ProcessingJobName", name}};
  EXPECT_TRUE(name.starts_with("demo-001-VanishingGradient-")) << name;
  EXPECT_EQ(Done("DescribeProcessingJob", which)["Environment"]["rule_to_invoke"],
            "VanishingGradient");
  EXPECT_EQ(Done("ListProcessingJobs", {{"MaxResults", 1}})["ProcessingJobSummaries"].size(), 1u);
  EXPECT_EQ(Do("StopProcessingJob", which).status, 200);
  EXPECT_EQ(supervisor.woken, std::vector<std::string>{"demo-001"});
  EXPECT_TRUE(store->Get("demo-001").value().rules[0].stop_requested);
  EXPECT_FALSE(store->Get("demo-001").value().rules[1].stop_requested);
  const Json stopping = Done("ListProcessingJobs", {{"StatusEquals", "Stopping"}});
  ASSERT_EQ(stopping["ProcessingJobSummaries"].size(), 1u);
  EXPECT_EQ(stopping["ProcessingJobSummaries"][0]["ProcessingJobName"], name);
  EXPECT_EQ(Refused("StopProcessingJob", which),
            "ValidationException: The request was rejected because the processing job is in status "
            "Stopping.");
  for (const char* operation : {"DescribeProcessingJob", "StopProcessingJob"}) {
    EXPECT_EQ(Refused(operation, {{"ProcessingJobName", "none"}}),
              "ValidationException: Could not find requested job with name: none");
  }
}

TEST_F(ApiTest, OtherProcessingJobsAreNotRun) {
  const Json request = {
      {"ProcessingJobName", "p"},
      {"ProcessingResources",
       {{"ClusterConfig",
         {{"InstanceCount", 1}, {"InstanceType", "ml.m5.xlarge"}, {"VolumeSizeInGB", 30}}}}},
      {"AppSpecification", {{"ImageUri", "x"}}},
      {"RoleArn", "arn:aws:iam::123456789012:role/DemoRole"}};
  EXPECT_NE(Refused("CreateProcessingJob", request).find("rules of training jobs"),
            std::string::npos);
}

}  // namespace
}  // namespace warden::sagemaker
