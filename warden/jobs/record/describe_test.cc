#include "warden/jobs/record/describe.h"

#include <gtest/gtest.h>

#include "warden/jobs/record/job_for_test.h"

namespace warden::jobs {
namespace {

TEST(DescribeTrainingJobTest, TellsTheRequestAndWhatBecameOfIt) {
  const TrainingJob job = SomeJob();
  const Json told = DescribeTrainingJob(job);
  EXPECT_EQ(told["TrainingJobName"], "demo-001");
  EXPECT_EQ(told["TrainingJobStatus"], "InProgress");
  EXPECT_EQ(told["SecondaryStatus"], "Starting");
  EXPECT_EQ(DumpLikePython(told["CreationTime"]), "1767323000.123");
  EXPECT_EQ(DumpLikePython(told["HyperParameters"]), R"({"epochs": "3", "alpha": "0.1"})");
  EXPECT_EQ(told["ModelArtifacts"]["S3ModelArtifacts"], job.ModelArtifacts());
  EXPECT_EQ(told["ProfilingStatus"], "Enabled");
  EXPECT_FALSE(told.contains("Tags"));
  EXPECT_FALSE(told.contains("FailureReason"));
  for (const char* absent : {"TrainingStartTime", "TrainingEndTime", "TrainingTimeInSeconds",
                             "BillableTimeInSeconds", "WarmPoolStatus"}) {
    EXPECT_FALSE(told.contains(absent)) << absent;
  }
}

TEST(DescribeTrainingJobTest, EveryTransitionHasAMessage) {
  TrainingJob job = SomeJob();
  Enter(&job, SecondaryStatus::kTraining, "", job.created + std::chrono::seconds(1));
  const Json transitions = DescribeTrainingJob(job)["SecondaryStatusTransitions"];
  ASSERT_EQ(transitions.size(), 2u);
  EXPECT_TRUE(transitions[0].contains("EndTime"));
  EXPECT_FALSE(transitions[1].contains("EndTime"));
  for (const Json& each : transitions) EXPECT_TRUE(each.contains("StatusMessage"));
}

TEST(DescribeTrainingJobTest, TellsHowLongItTook) {
  TrainingJob job = SomeJob();
  job.started = At(1'000);
  job.ended = At(1'200);
  EXPECT_EQ(DescribeTrainingJob(job)["TrainingTimeInSeconds"], 1);
  job.ended = At(61'400);
  EXPECT_EQ(DescribeTrainingJob(job)["BillableTimeInSeconds"], 60);
}

TEST(DescribeTrainingJobTest, RulesTellTheirJobOnceItIsThere) {
  TrainingJob job = SomeJob();
  Json told = DescribeTrainingJob(job);
  ASSERT_EQ(told["DebugRuleEvaluationStatuses"].size(), 1u);
  ASSERT_EQ(told["ProfilerRuleEvaluationStatuses"].size(), 1u);
  EXPECT_EQ(told["DebugRuleConfigurations"][0]["VolumeSizeInGB"], 0);
  const Json before = told["DebugRuleEvaluationStatuses"][0];
  EXPECT_EQ(before["RuleEvaluationStatus"], "InProgress");
  EXPECT_FALSE(before.contains("RuleEvaluationJobArn"));
  EXPECT_FALSE(before.contains("StatusDetails"));
  job.rules[0].launched = At(1);
  SetRuleStatus(&job, 0, RuleStatus::kIssuesFound, "RuleEvaluationConditionMet: x\n", At(2));
  const Json after = DescribeTrainingJob(job)["DebugRuleEvaluationStatuses"][0];
  EXPECT_EQ(after["RuleEvaluationJobArn"],
            "arn:aws:sagemaker:us-east-1:123456789012:processing-job/demo-001-vg-1a2b3c4d");
  EXPECT_EQ(after["StatusDetails"], "RuleEvaluationConditionMet: x\n");
  job.rules.clear();
  EXPECT_FALSE(DescribeTrainingJob(job).contains("DebugRuleConfigurations"));
  EXPECT_FALSE(DescribeTrainingJob(job).contains("ProfilerRuleEvaluationStatuses"));
}

TEST(DescribeTrainingJobTest, AWarmPoolIsNeverLeft) {
  TrainingJob job = SomeJob();
  job.request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 600;
  EXPECT_FALSE(DescribeTrainingJob(job).contains("WarmPoolStatus"));
  Enter(&job, SecondaryStatus::kCompleted, "Training job completed", At(1));
  EXPECT_EQ(DescribeTrainingJob(job)["WarmPoolStatus"]["Status"], "Terminated");
}

TEST(DescribeRuleJobTest, IsAProcessingJob) {
  TrainingJob job = SomeJob();
  job.rules[1].launched = At(1'767'323'001'900);
  const Json told = DescribeRuleJob(job, job.rules[1]);
  EXPECT_EQ(told["ProcessingJobName"], "demo-001-lg-5e6f7a8b");
  EXPECT_EQ(told["ProcessingJobStatus"], "InProgress");
  EXPECT_EQ(told["TrainingJobArn"], job.Arn());
  const Json& input = told["ProcessingInputs"][0];
  EXPECT_EQ(input["InputName"], "Profiler");
  EXPECT_EQ(input["S3Input"]["S3Uri"], job.ProfilerOutput());
  EXPECT_EQ(input["S3Input"]["LocalPath"], "/opt/ml/processing/input/profiler");
  const Json& output = told["ProcessingOutputConfig"]["Outputs"][0];
  EXPECT_EQ(output["S3Output"]["S3Uri"], job.RuleOutput(job.rules[1]));
  const Json& environment = told["Environment"];
  EXPECT_EQ(environment["threshold"], "0.5");
  EXPECT_EQ(environment["SAGEMAKER_ENV_RULE_STOP_SIGNAL_FILE"],
            "/opt/ml/processing/input/profiler/signals/LowGPUUtilization");
  EXPECT_EQ(environment["SAGEMAKER_START_TIMESTAMP_OF_RULE"], "1767323001");
  EXPECT_EQ(environment["TRAINING_IMAGE"], "local/train:1");
  EXPECT_EQ(told["ProcessingResources"]["ClusterConfig"]["InstanceType"], "ml.m5.2xlarge");
  EXPECT_EQ(told["StoppingCondition"]["MaxRuntimeInSeconds"], 900);
  const Json debug = DescribeRuleJob(job, job.rules[0]);
  EXPECT_EQ(debug["ProcessingInputs"][0]["S3Input"]["LocalPath"],
            "/opt/ml/processing/input/tensors");
  EXPECT_FALSE(debug["Environment"].contains("SAGEMAKER_ENV_RULE_STOP_SIGNAL_FILE"));
}

TEST(DescribeRuleJobTest, BothVerdictsAreCompleted) {
  TrainingJob job = SomeJob();
  SetRuleStatus(&job, 0, RuleStatus::kIssuesFound, "RuleEvaluationConditionMet: x\n", At(2));
  Json told = DescribeRuleJob(job, job.rules[0]);
  EXPECT_EQ(told["ProcessingJobStatus"], "Completed");
  EXPECT_EQ(told["ExitMessage"], "RuleEvaluationConditionMet: x");
  SetRuleStatus(&job, 0, RuleStatus::kNoIssuesFound, "", At(2));
  EXPECT_FALSE(DescribeRuleJob(job, job.rules[0]).contains("ExitMessage"));
  SetRuleStatus(&job, 0, RuleStatus::kError, "ClientError: no data", At(2));
  told = SummarizeRuleJob(job, job.rules[0]);
  EXPECT_EQ(told["ProcessingJobStatus"], "Failed");
  EXPECT_EQ(told["FailureReason"], "ClientError: no data");
  SetRuleStatus(&job, 0, RuleStatus::kStopped, "", At(2));
  EXPECT_EQ(DescribeRuleJob(job, job.rules[0])["ProcessingJobStatus"], "Stopped");
}

TEST(JobEventTest, IsASnapshotInMilliseconds) {
  TrainingJob job = SomeJob();
  job.request.erase("HyperParameters");
  const Json event = TrainingJobEvent(job, At(1'767'323'045'678));
  EXPECT_EQ(event["version"], "0");
  EXPECT_EQ(event["detail-type"], "SageMaker Training Job State Change");
  EXPECT_EQ(event["source"], "aws.sagemaker");
  EXPECT_EQ(event["time"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(event["resources"][0], job.Arn());
  const Json& detail = event["detail"];
  EXPECT_EQ(detail["CreationTime"], 1'767'323'000'123);
  EXPECT_EQ(detail["SecondaryStatusTransitions"][0]["StartTime"], 1'767'323'000'123);
  EXPECT_EQ(DumpLikePython(detail["Tags"]), R"({"team": "ml", "a": "b"})");
  EXPECT_TRUE(detail["VpcConfig"].is_object());
  EXPECT_TRUE(detail["HyperParameters"].is_object());
  EXPECT_TRUE(detail["InputDataConfig"].is_array());
  EXPECT_EQ(detail["DebugRuleEvaluationStatuses"][0]["LastModifiedTime"], 1'767'323'000'000);
  EXPECT_NE(event["id"], TrainingJobEvent(job, At(0))["id"]);
}

TEST(JobEventTest, OfARuleSpellsAsTheOriginal) {
  TrainingJob job = SomeJob();
  const Json event = RuleJobEvent(job, job.rules[1], At(0));
  EXPECT_EQ(event["detail-type"], "SageMaker Processing Job State Change");
  EXPECT_EQ(event["resources"][0], job.RuleArn(job.rules[1]));
  const Json& detail = event["detail"];
  EXPECT_EQ(detail["ProcessingInputs"][0]["AppManaged"], "False");
  EXPECT_EQ(detail["ProcessingInputs"][0]["S3Input"]["S3DataType"], "S3_PREFIX");
  EXPECT_EQ(detail["ProcessingOutputConfig"]["Outputs"][0]["S3Output"]["S3UploadMode"],
            "CONTINUOUS");
  EXPECT_EQ(detail["NetworkConfig"]["EnableNetworkIsolation"], "False");
  EXPECT_EQ(detail["ExitMessage"], "");
  EXPECT_EQ(detail["TrainingJobArn"], job.Arn());
  EXPECT_EQ(detail["CreationTime"], 1'767'323'000'000);
}

}  // namespace
}  // namespace warden::jobs
