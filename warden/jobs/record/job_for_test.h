#ifndef WARDEN_JOBS_RECORD_JOB_FOR_TEST_H_
#define WARDEN_JOBS_RECORD_JOB_FOR_TEST_H_

#include <string>

#include "warden/jobs/record/job.h"

// For tests: jobs as the API makes them.
namespace warden::jobs {

inline Time At(int64_t milliseconds) { return Time(std::chrono::milliseconds(milliseconds)); }

inline RuleJob SomeRule(const std::string& name, RuleJob::Kind kind, const std::string& job_name) {
  RuleJob rule;
  rule.kind = kind;
  rule.config = {{"RuleConfigurationName", name},
                 {"RuleEvaluatorImage", "local/sagemaker-debugger-rules:latest"},
                 {"VolumeSizeInGB", 0},
                 {"RuleParameters", {{"rule_to_invoke", name}, {"threshold", "0.5"}}}};
  rule.job_name = job_name;
  rule.created = rule.modified = At(1'767'323'000'000);
  return rule;
}

// In progress, with a debug rule and a profiler rule.
inline TrainingJob SomeJob(const std::string& name = "demo-001") {
  TrainingJob job;
  job.name = name;
  job.account = "123456789012";
  job.region = "us-east-1";
  job.owner = "AKIDEXAMPLE";
  job.request = {
      {"TrainingJobName", name},
      {"HyperParameters", {{"epochs", "3"}, {"alpha", "0.1"}}},
      {"AlgorithmSpecification", {{"TrainingImage", "local/train:1"}}},
      {"RoleArn", "arn:aws:iam::123456789012:role/Demo"},
      {"OutputDataConfig", {{"S3OutputPath", "s3://demo-bucket/out/"}, {"KmsKeyId", ""}}},
      {"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 2}}},
      {"StoppingCondition", {{"MaxRuntimeInSeconds", 900}}},
      {"DebugHookConfig", {{"S3OutputPath", "s3://demo-bucket/debug"}}},
      {"ProfilerConfig",
       {{"S3OutputPath", "s3://demo-bucket/profile"},
        {"DisableProfiler", false},
        {"ProfilingIntervalInMilliseconds", 500}}}};
  job.tags = {{"team", "ml"}, {"a", "b"}};
  job.created = job.modified = At(1'767'323'000'123);
  Enter(&job, SecondaryStatus::kStarting, "Starting the training job", job.created);
  job.rules = {SomeRule("VanishingGradient", RuleJob::Kind::kDebug, name + "-vg-1a2b3c4d"),
               SomeRule("LowGPUUtilization", RuleJob::Kind::kProfiler, name + "-lg-5e6f7a8b")};
  return job;
}

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_JOB_FOR_TEST_H_
