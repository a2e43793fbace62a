#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/jobs/record/describe.h"
#include "warden/jobs/record/description.h"
#include "warden/jobs/record/short_text.h"

namespace warden::jobs {
namespace {

// What the original runs built-in rules on, for rules that name nothing.
constexpr std::string_view kInstanceType = "ml.m5.2xlarge";
constexpr int64_t kVolumeSizeInGB = 30;
constexpr int64_t kLongestRuntime = 777'600;  // Of any processing job.

bool IsDebug(const RuleJob& rule) { return rule.kind == RuleJob::Kind::kDebug; }

Json Inputs(const TrainingJob& job, const RuleJob& rule) {
  const std::string local = "/opt/ml/processing/input/";
  return Json::array({{{"InputName", IsDebug(rule) ? "Tensors" : "Profiler"},
                       {"AppManaged", false},
                       {"S3Input",
                        {{"S3Uri", IsDebug(rule) ? job.DebugOutput() : job.ProfilerOutput()},
                         {"LocalPath", local + (IsDebug(rule) ? "tensors" : "profiler")},
                         {"S3DataType", "S3Prefix"},
                         {"S3InputMode", "File"},
                         {"S3DataDistributionType", "FullyReplicated"},
                         {"S3CompressionType", "None"}}}}});
}

Json Outputs(const TrainingJob& job, const RuleJob& rule) {
  std::string local = TextOf(MemberOf(rule.config, "LocalPath"));
  if (local.empty()) local = "/opt/ml/processing/output/rule";
  return {{"Outputs", Json::array({{{"OutputName", "RuleOutput"},
                                    {"S3Output",
                                     {{"S3Uri", job.RuleOutput(rule)},
                                      {"LocalPath", local},
                                      {"S3UploadMode", "Continuous"}}},
                                    {"AppManaged", false}}})}};
}

Json Resources(const RuleJob& rule) {
  std::string type = TextOf(MemberOf(rule.config, "InstanceType"));
  if (type.empty()) type = kInstanceType;
  const int64_t volume = IntegerOf(MemberOf(rule.config, "VolumeSizeInGB"));
  return {{"ClusterConfig",
           {{"InstanceCount", 1},
            {"InstanceType", type},
            {"VolumeSizeInGB", volume > 0 ? volume : kVolumeSizeInGB}}}};
}

Json Environment(const TrainingJob& job, const RuleJob& rule) {
  Json environment = Json::object();
  const Json* parameters = MemberOf(rule.config, "RuleParameters");
  if (parameters != nullptr && parameters->is_object()) environment = *parameters;
  if (!IsDebug(rule)) {
    environment["SAGEMAKER_ENV_RULE_STOP_SIGNAL_FILE"] =
        "/opt/ml/processing/input/profiler/signals/" + rule.Name();
  }
  if (rule.launched) {
    const auto since = rule.launched->time_since_epoch();
    environment["SAGEMAKER_START_TIMESTAMP_OF_RULE"] =
        std::to_string(std::chrono::floor<std::chrono::seconds>(since).count());
  }
  environment["TRAINING_JOB_ARN"] = job.Arn();
  environment["TRAINING_IMAGE"] =
      TextOf(MemberOf(job.request, "AlgorithmSpecification", "TrainingImage"));
  return environment;
}

Json Network(const TrainingJob& job) {
  Json network = Json::object();
  for (const char* name : {"EnableInterContainerTrafficEncryption", "EnableNetworkIsolation"}) {
    network[name] = IsTrue(MemberOf(job.request, name));
  }
  if (const Json* vpc = MemberOf(job.request, "VpcConfig")) network["VpcConfig"] = *vpc;
  return network;
}

// What the rule has to say, of which a processing job tells the first line.
void AddVerdict(const RuleJob& rule, Json* members) {
  if (rule.details.empty()) return;
  if (rule.status == RuleStatus::kError) {
    (*members)["FailureReason"] = ShortText(rule.details);
  } else if (IsOver(rule.status) && rule.status != RuleStatus::kStopped) {
    (*members)["ExitMessage"] = ShortText(rule.details.substr(0, rule.details.find('\n')));
  }
}

void AddTimes(const RuleJob& rule, TimeForm time_form, Json* members) {
  (*members)["CreationTime"] = time_form(rule.created);
  (*members)["LastModifiedTime"] = time_form(rule.modified);
  if (rule.launched) (*members)["ProcessingStartTime"] = time_form(*rule.launched);
  if (rule.ended) (*members)["ProcessingEndTime"] = time_form(*rule.ended);
}

}  // namespace

std::string_view ProcessingStatusOf(RuleStatus status) {
  switch (status) {
    case RuleStatus::kNoIssuesFound:
    case RuleStatus::kIssuesFound: return "Completed";
    case RuleStatus::kError: return "Failed";
    default: return NameOf(status);
  }
}

Json RuleJobMembers(const TrainingJob& job, const RuleJob& rule, TimeForm time_form) {
  const int64_t runtime =
      IntegerOf(MemberOf(job.request, "StoppingCondition", "MaxRuntimeInSeconds"));
  Json members = {
      {"ProcessingInputs", Inputs(job, rule)},
      {"ProcessingOutputConfig", Outputs(job, rule)},
      {"ProcessingJobName", rule.job_name},
      {"ProcessingResources", Resources(rule)},
      {"StoppingCondition",
       {{"MaxRuntimeInSeconds", std::clamp<int64_t>(runtime, 1, kLongestRuntime)}}},
      {"AppSpecification", {{"ImageUri", TextOf(MemberOf(rule.config, "RuleEvaluatorImage"))}}},
      {"Environment", Environment(job, rule)},
      {"NetworkConfig", Network(job)},
      {"RoleArn", TextOf(MemberOf(job.request, "RoleArn"))},
      {"ProcessingJobArn", job.RuleArn(rule)},
      {"ProcessingJobStatus", ProcessingStatusOf(rule.status)}};
  AddVerdict(rule, &members);
  AddTimes(rule, time_form, &members);
  members["TrainingJobArn"] = job.Arn();
  return members;
}

Json DescribeRuleJob(const TrainingJob& job, const RuleJob& rule) {
  return RuleJobMembers(job, rule, &SecondsJson);
}

Json SummarizeRuleJob(const TrainingJob& job, const RuleJob& rule) {
  Json summary = {{"ProcessingJobName", rule.job_name},
                  {"ProcessingJobArn", job.RuleArn(rule)},
                  {"CreationTime", SecondsJson(rule.created)}};
  if (rule.ended) summary["ProcessingEndTime"] = SecondsJson(*rule.ended);
  summary["LastModifiedTime"] = SecondsJson(rule.modified);
  summary["ProcessingJobStatus"] = ProcessingStatusOf(rule.status);
  AddVerdict(rule, &summary);
  return summary;
}

}  // namespace warden::jobs
