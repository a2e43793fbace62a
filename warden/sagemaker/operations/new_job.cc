#include "warden/sagemaker/operations/new_job.h"

#include <fmt/format.h>

#include "warden/base/json_members.h"
#include "warden/jobs/launch/builtin_algorithm.h"
#include "warden/jobs/record/short_text.h"
#include "warden/sagemaker/operations/profiler_config_request.h"
#include "warden/sagemaker/operations/rule_feed.h"
#include "warden/sagemaker/operations/rule_jobs.h"
#include "warden/sagemaker/operations/tags.h"

namespace warden::sagemaker::operations {
namespace {

// What Describe tells again of a request. What we do not know is not kept.
constexpr const char* kKept[] = {"TrainingJobName",
                                 "HyperParameters",
                                 "AlgorithmSpecification",
                                 "RoleArn",
                                 "InputDataConfig",
                                 "OutputDataConfig",
                                 "ResourceConfig",
                                 "VpcConfig",
                                 "StoppingCondition",
                                 "EnableNetworkIsolation",
                                 "EnableInterContainerTrafficEncryption",
                                 "EnableManagedSpotTraining",
                                 "CheckpointConfig",
                                 "DebugHookConfig",
                                 "TensorBoardOutputConfig",
                                 "ExperimentConfig",
                                 "ProfilerConfig",
                                 "Environment",
                                 "RetryStrategy",
                                 "RemoteDebugConfig",
                                 "InfraCheckConfig",
                                 "MlflowConfig",
                                 "ModelPackageConfig"};

constexpr int64_t kLongestRuntime = 86'400;  // Where the request names none.

void Default(const char* name, Json value, Json* object) {
  if (!object->contains(name)) (*object)[name] = std::move(value);
}

// Clients read these and do not ask whether they are there.
void AddDefaults(Json* request) {
  Default("KmsKeyId", "", &(*request)["OutputDataConfig"]);
  Default("CompressionType", "GZIP", &(*request)["OutputDataConfig"]);
  Default("EnableSageMakerMetricsTimeSeries", false, &(*request)["AlgorithmSpecification"]);
  Default("VolumeSizeInGB", 0, &(*request)["ResourceConfig"]);
  Default("StoppingCondition", Json::object(), request);
  Default("MaxRuntimeInSeconds", kLongestRuntime, &(*request)["StoppingCondition"]);
  for (const char* name : {"EnableNetworkIsolation", "EnableInterContainerTrafficEncryption",
                           "EnableManagedSpotTraining"}) {
    Default(name, false, request);
  }
  if (request->contains("InputDataConfig")) {
    for (Json& channel : (*request)["InputDataConfig"]) {
      Default("CompressionType", "None", &channel);
      Default("RecordWrapperType", "None", &channel);
    }
  }
  if (request->contains("ProfilerConfig")) {
    CompleteProfilerConfig(TextOf(MemberOf(*request, "OutputDataConfig", "S3OutputPath")),
                           &(*request)["ProfilerConfig"]);
  }
}

void WarnOfRulesWithoutInputs(jobs::TrainingJob* job) {
  for (jobs::RuleJob& rule : job->rules) {
    if (rule.kind != jobs::RuleJob::Kind::kDebug) continue;
    const std::string why = WhyNotFed(rule.config, job->request);
    if (why.empty()) continue;
    rule.details = jobs::ShortText("Not evaluated yet: " + why);
    WarnOf(fmt::format("rule {} may not be evaluated: {}", rule.Name(), why), job);
  }
}

}  // namespace

void WarnOf(const std::string& what, jobs::TrainingJob* job) {
  std::string& message = job->transitions.back().message;
  message = jobs::ShortText(fmt::format("{}. Warning: {}", message, what));
}

jobs::TrainingJob NewJob(const Json& body, const auth::Identity& identity, Time now) {
  jobs::TrainingJob job;
  job.name = TextOf(MemberOf(body, "TrainingJobName"));
  job.account = identity.account;
  job.region = identity.region;
  job.owner = identity.access_key;
  job.request = Json::object();
  for (const auto& item : body.items()) {
    for (const char* kept : kKept) {
      if (item.key() == kept) job.request[item.key()] = item.value();
    }
  }
  AddDefaults(&job.request);
  jobs::AddBuiltinMetrics(&job);
  if (const Json* tags = MemberOf(body, "Tags")) SetTags(*tags, &job);
  job.created = now;
  jobs::Enter(&job, jobs::SecondaryStatus::kStarting, "Starting the training job", now);
  AddRuleJobs(MemberOf(body, "DebugRuleConfigurations"), jobs::RuleJob::Kind::kDebug, now, &job);
  AddRuleJobs(MemberOf(body, "ProfilerRuleConfigurations"), jobs::RuleJob::Kind::kProfiler, now,
              &job);
  WarnOfRulesWithoutInputs(&job);
  return job;
}

}  // namespace warden::sagemaker::operations
